#if defined(__linux__) || defined(__APPLE__)

#define _GNU_SOURCE
#include "DeflateShim.h"
#include "find_symbol.h"
#include "zlib_stream.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/// The functions of zlib. `load` fills the table once.
static struct {
  const char *(*version)(void);
  int (*init)(struct zlib_stream *, int, int, int, int, int, const char *, int);
  int (*run)(struct zlib_stream *, int);
  int (*end)(struct zlib_stream *);
} zlib;

#if defined(__APPLE__)
static const char *const library_name = "/usr/lib/libz.1.dylib";
#else
static const char *const library_name = "libz.so.1";
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool isFound = false;

/// Searches the library itself, not the process, where names as common as `deflate` may belong to somebody else.
static void load(void) {
  void *library = open_library(library_name);
  if (library == NULL) return;
  isFound = FIND(library, zlibVersion, &zlib.version) && FIND(library, deflateInit2_, &zlib.init) &&
            FIND(library, deflate, &zlib.run) && FIND(library, deflateEnd, &zlib.end);
  if (!isFound) close_library(library);
}

bool deflateShimIsAvailable(void) {
  pthread_once(&once, load);
  return isFound;
}

void *deflateShimMake(void) {
  // The arguments of `deflateInit2`. Adding 16 to the window's bits makes a gzip instead of a zlib stream.
  enum { ok = 0, default_level = -1, deflated = 8, largest_window_as_gzip = 15 + 16, default_memory = 8, plain = 0 };
  if (!deflateShimIsAvailable()) return NULL;
  struct zlib_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  const int result = zlib.init(stream, default_level, deflated, largest_window_as_gzip, default_memory, plain,
                               zlib.version(), (int)sizeof *stream);
  if (result == ok) return stream;
  free(stream);
  return NULL;
}

void deflateShimFree(void *stream) {
  zlib.end(stream);
  free(stream);
}

int32_t deflateShimRun(void *pointer, const void *input, size_t *inputCount, void *output, size_t *outputCount,
                       bool isLast) {
  // Z_NO_FLUSH, Z_FINISH, Z_OK, Z_STREAM_END and Z_BUF_ERROR. The last one only means that input or room is lacking.
  enum { no_flush = 0, finish = 4, ok = 0, end = 1, no_progress = -5 };
  struct zlib_stream *stream = pointer;
  // zlib counts with 32 bits. The caller runs the rest in another step, and the stream doesn't end before it.
  const unsigned int taken = *inputCount < UINT_MAX ? (unsigned int)*inputCount : UINT_MAX;
  const unsigned int room = *outputCount < UINT_MAX ? (unsigned int)*outputCount : UINT_MAX;
  stream->next_in = input;
  stream->avail_in = taken;
  stream->next_out = output;
  stream->avail_out = room;
  const int result = zlib.run(stream, isLast && taken == *inputCount ? finish : no_flush);
  *inputCount -= taken - stream->avail_in;
  *outputCount = room - stream->avail_out;
  if (result == end) return deflateShimEnd;
  return result == ok || result == no_progress ? deflateShimGoesOn : deflateShimFailed;
}

#endif
