#if defined(__linux__) || defined(__APPLE__)

#define _GNU_SOURCE
#include "ZlibShim.h"
#include "find_symbol.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/// The `z_stream` of zlib 1, field by field. `inflateInit2_` gets the size of this struct, and fails if zlib's own has
/// another size.
struct zlib_stream {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned int, unsigned int);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long checksum;
  unsigned long reserved;
};

/// The functions of zlib. `load` fills the table once.
static struct {
  const char *(*version)(void);
  int (*decode_init)(struct zlib_stream *, int, const char *, int);
  int (*decode)(struct zlib_stream *, int);
  int (*decode_reset)(struct zlib_stream *);
  int (*decode_end)(struct zlib_stream *);
  int (*encode_init)(struct zlib_stream *, int, int, int, int, int, const char *, int);
  int (*encode)(struct zlib_stream *, int);
  int (*encode_end)(struct zlib_stream *);
} zlib;

#if defined(__APPLE__)
static const char *const library_name = "/usr/lib/libz.1.dylib";
#else
static const char *const library_name = "libz.so.1";
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_found = false;

/// Searches the library itself, not the process, where names as common as `inflate` may belong to somebody else.
static void load(void) {
  void *library = open_library(library_name);
  if (library == NULL) return;
  is_found = FIND(library, zlibVersion, &zlib.version) && FIND(library, inflateInit2_, &zlib.decode_init) &&
             FIND(library, inflate, &zlib.decode) && FIND(library, inflateReset, &zlib.decode_reset) &&
             FIND(library, inflateEnd, &zlib.decode_end) && FIND(library, deflateInit2_, &zlib.encode_init) &&
             FIND(library, deflate, &zlib.encode) && FIND(library, deflateEnd, &zlib.encode_end);
  if (!is_found) close_library(library);
}

bool zlibShimIsAvailable(void) {
  pthread_once(&once, load);
  return is_found;
}

/// zlib counts with 32 bits. The caller runs the rest in another step.
static unsigned int limited(size_t count) { return count < UINT_MAX ? (unsigned int)count : UINT_MAX; }

// Z_NO_FLUSH, Z_FINISH, Z_OK, Z_STREAM_END and Z_BUF_ERROR. The last one only means that input or room is lacking.
enum { no_flush = 0, finish = 4, ok = 0, end = 1, no_progress = -5 };

// MARK: Decoding

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
  struct decoder *decoder = zlibShimIsAvailable() ? calloc(1, sizeof *decoder) : NULL;
  if (decoder == NULL) return NULL;
  decoder->is_deflate = isDeflate;
  decoder->is_at_end = true;
  return decoder;
}

void decodeShimFree(void *stream) {
  struct decoder *decoder = stream;
  if (decoder->window != window_none) zlib.decode_end(&decoder->zlib);
  free(decoder);
}

/// Prepares for the first byte of a stream.
///
/// "deflate" means a zlib stream, but some servers send raw deflate data without its frame (RFC 9110, section 8.4.1.2).
/// The first byte of a zlib stream has the method 8 and a window size (RFC 1950, section 2.2). As raw data it would be
/// a stored block with a bit set in its padding.
static bool start(struct decoder *decoder, unsigned char first) {
  const int window = !decoder->is_deflate ? window_gzip : (first & 0x8F) == 8 ? window_zlib : window_raw;
  if (zlib.decode_init(&decoder->zlib, window, zlib.version(), (int)sizeof decoder->zlib) != 0) return false;
  decoder->window = window;
  return true;
}

int32_t decodeShimRun(void *stream, const void *input, size_t *inputCount, void *output, size_t *outputCount) {
  struct decoder *decoder = stream;
  const unsigned char *next = input;
  decoder->zlib.avail_out = limited(*outputCount);
  decoder->zlib.next_out = output;
  const unsigned int room = decoder->zlib.avail_out;
  bool is_good = true;
  while (*inputCount > 0 || !decoder->is_at_end) {
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
      is_good = zlib.decode_reset(&decoder->zlib) == 0;
    }
    if (!is_good) break;
    const unsigned int taken = limited(*inputCount);
    decoder->zlib.next_in = next;
    decoder->zlib.avail_in = taken;
    const int result = zlib.decode(&decoder->zlib, no_flush);
    next += taken - decoder->zlib.avail_in;
    *inputCount -= taken - decoder->zlib.avail_in;
    decoder->is_at_end = result == end;
    is_good = result == end || result == ok || result == no_progress;
    if (!decoder->is_at_end) break;
  }
  *outputCount = room - decoder->zlib.avail_out;
  if (!is_good) return zlibShimFailed;
  return decoder->is_at_end ? zlibShimEnd : zlibShimGoesOn;
}

// MARK: Compressing

void *deflateShimMake(void) {
  // The arguments of `deflateInit2`. Adding 16 to the window's bits makes a gzip instead of a zlib stream.
  enum { default_level = -1, deflated = 8, largest_window_as_gzip = 15 + 16, default_memory = 8, plain = 0 };
  if (!zlibShimIsAvailable()) return NULL;
  struct zlib_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  const int result = zlib.encode_init(stream, default_level, deflated, largest_window_as_gzip, default_memory, plain,
                               zlib.version(), (int)sizeof *stream);
  if (result == ok) return stream;
  free(stream);
  return NULL;
}

void deflateShimFree(void *stream) {
  zlib.encode_end(stream);
  free(stream);
}

int32_t deflateShimRun(void *pointer, const void *input, size_t *inputCount, void *output, size_t *outputCount,
                       bool isLast) {
  struct zlib_stream *stream = pointer;
  const unsigned int taken = limited(*inputCount);
  const unsigned int room = limited(*outputCount);
  stream->next_in = input;
  stream->avail_in = taken;
  stream->next_out = output;
  stream->avail_out = room;
  // The stream doesn't end before the rest.
  const int result = zlib.encode(stream, isLast && taken == *inputCount ? finish : no_flush);
  *inputCount -= taken - stream->avail_in;
  *outputCount = room - stream->avail_out;
  if (result == end) return zlibShimEnd;
  return result == ok || result == no_progress ? zlibShimGoesOn : zlibShimFailed;
}

#endif
