#if defined(__linux__)

#define _GNU_SOURCE
#include "DecodeShim.h"
#include "find_symbol.h"
#include "zlib_stream.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/// The functions of zlib. `load` fills the table once.
static struct {
  const char *(*version)(void);
  int (*init)(struct zlib_stream *, int, const char *, int);
  int (*run)(struct zlib_stream *, int);
  int (*reset)(struct zlib_stream *);
  int (*end)(struct zlib_stream *);
} zlib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_found = false;

/// Searches the library itself, not the process, where names as common as `inflate` may belong to somebody else.
static void load(void) {
  void *library = open_library("libz.so.1");
  if (library == NULL) return;
  is_found = FIND(library, zlibVersion, &zlib.version) && FIND(library, inflateInit2_, &zlib.init) &&
             FIND(library, inflate, &zlib.run) && FIND(library, inflateReset, &zlib.reset) &&
             FIND(library, inflateEnd, &zlib.end);
  if (!is_found) close_library(library);
}

bool decodeShimIsAvailable(void) {
  pthread_once(&once, load);
  return is_found;
}

/// `windowBits` of `inflateInit2`: negative for raw deflate, and plus 16 for gzip.
enum { window_none = 0, window_raw = -15, window_zlib = 15, window_gzip = 15 + 16 };

/// A decoding stream, which `decodeShimMake` returns.
struct decoder {
  bool is_deflate;
  /// The kind of zlib's stream; `window_none` before the first byte.
  int window;
  /// Whether the last byte of a member or a stream was decoded. Empty content is whole too.
  bool is_at_end;
  /// Whether bytes followed that are no member of the stream. The rest is ignored.
  bool is_past_end;
  struct zlib_stream zlib;
};

void *decodeShimMake(bool isDeflate) {
  struct decoder *decoder = decodeShimIsAvailable() ? calloc(1, sizeof *decoder) : NULL;
  if (decoder == NULL) return NULL;
  decoder->is_deflate = isDeflate;
  decoder->is_at_end = true;
  return decoder;
}

void decodeShimFree(void *stream) {
  struct decoder *decoder = stream;
  if (decoder->window != window_none) zlib.end(&decoder->zlib);
  free(decoder);
}

/// Prepares for the first byte of a stream.
///
/// "deflate" means a zlib stream, but some servers send raw deflate data without its frame (RFC 9110, section 8.4.1.2).
/// The first byte of a zlib stream has the method 8 and a window size (RFC 1950, section 2.2). As raw data it would be a
/// stored block with a bit set in its padding.
static bool start(struct decoder *decoder, unsigned char first) {
  const int window = !decoder->is_deflate ? window_gzip : (first & 0x8F) == 8 ? window_zlib : window_raw;
  if (zlib.init(&decoder->zlib, window, zlib.version(), (int)sizeof decoder->zlib) != 0) return false;
  decoder->window = window;
  return true;
}

int32_t decodeShimRun(void *stream, const void *input, size_t *inputCount, void *output, size_t *outputCount) {
  // Z_NO_FLUSH, Z_OK, Z_STREAM_END and Z_BUF_ERROR. The last one only means that input or room is lacking.
  enum { no_flush = 0, ok = 0, end = 1, no_progress = -5 };
  struct decoder *decoder = stream;
  const unsigned char *next = input;
  // zlib counts with 32 bits. The caller runs the rest in another step.
  decoder->zlib.avail_out = *outputCount < UINT_MAX ? (unsigned int)*outputCount : UINT_MAX;
  decoder->zlib.next_out = output;
  const unsigned int room = decoder->zlib.avail_out;
  bool is_good = true;
  while (is_good && (*inputCount > 0 || !decoder->is_at_end)) {
    if (decoder->window == window_none) {
      is_good = start(decoder, *next);
    } else if (decoder->is_at_end) {
      // A gzip may have several members (RFC 1952, section 2.2), and each begins with 1F. Other bytes after the end are
      // ignored, as in browsers.
      if (decoder->window != window_gzip || decoder->is_past_end || *next != 0x1F) {
        decoder->is_past_end = true;
        *inputCount = 0;
        break;
      }
      is_good = zlib.reset(&decoder->zlib) == 0;
    }
    if (!is_good) break;
    const unsigned int taken = *inputCount < UINT_MAX ? (unsigned int)*inputCount : UINT_MAX;
    decoder->zlib.next_in = next;
    decoder->zlib.avail_in = taken;
    const int result = zlib.run(&decoder->zlib, no_flush);
    next += taken - decoder->zlib.avail_in;
    *inputCount -= taken - decoder->zlib.avail_in;
    decoder->is_at_end = result == end;
    is_good = result == end || result == ok || result == no_progress;
    if (!decoder->is_at_end) break;
  }
  *outputCount = room - decoder->zlib.avail_out;
  if (!is_good) return decodeShimFailed;
  return decoder->is_at_end ? decodeShimEnd : decodeShimGoesOn;
}

#endif
