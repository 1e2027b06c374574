#if defined(__linux__)

#define _GNU_SOURCE
#include "DecodeShim.h"
#include "find_symbol.h"
#include "zlib_stream.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/// zstd's `ZSTD_inBuffer`, field by field: the bytes to decode. zstd moves the position past the consumed bytes.
struct zstd_input {
  const void *bytes;
  size_t size;
  size_t position;
};

/// zstd's `ZSTD_outBuffer`, field by field: the room for decoded bytes. zstd moves the position past the written bytes.
struct zstd_output {
  void *bytes;
  size_t size;
  size_t position;
};

// The functions of each library. `load` fills the tables once.

static struct {
  bool is_found;
  const char *(*version)(void);
  int (*init)(struct zlib_stream *, int, const char *, int);
  int (*run)(struct zlib_stream *, int);
  int (*reset)(struct zlib_stream *);
  int (*end)(struct zlib_stream *);
} zlib;

static struct {
  bool is_found;
  void *(*make)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
  void (*destroy)(void *);
  int (*run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
} brotli;

static struct {
  bool is_found;
  void *(*make)(void);
  size_t (*destroy)(void *);
  size_t (*set)(void *, int, int);
  size_t (*run)(void *, struct zstd_output *, struct zstd_input *);
  unsigned (*is_error)(size_t);
} zstd;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Searches each library itself, not the process, where names as common as `inflate` may belong to somebody else.
static void load(void) {
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) {
    zlib.is_found = find(library, "zlibVersion", &zlib.version) && find(library, "inflateInit2_", &zlib.init) &&
                    find(library, "inflate", &zlib.run) && find(library, "inflateReset", &zlib.reset) &&
                    find(library, "inflateEnd", &zlib.end);
    if (!zlib.is_found) dlclose(library);
  }
  library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) {
    brotli.is_found = find(library, "BrotliDecoderCreateInstance", &brotli.make) &&
                      find(library, "BrotliDecoderDestroyInstance", &brotli.destroy) &&
                      find(library, "BrotliDecoderDecompressStream", &brotli.run);
    if (!brotli.is_found) dlclose(library);
  }
  library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) {
    zstd.is_found = find(library, "ZSTD_createDCtx", &zstd.make) && find(library, "ZSTD_freeDCtx", &zstd.destroy) &&
                    find(library, "ZSTD_DCtx_setParameter", &zstd.set) &&
                    find(library, "ZSTD_decompressStream", &zstd.run) && find(library, "ZSTD_isError", &zstd.is_error);
    if (!zstd.is_found) dlclose(library);
  }
}

bool decodeShimCan(int32_t coding) {
  pthread_once(&once, load);
  switch (coding) {
  case decodeShimGzip:
  case decodeShimDeflate: return zlib.is_found;
  case decodeShimBrotli: return brotli.is_found;
  case decodeShimZstd: return zstd.is_found;
  default: return false;
  }
}

/// The position of a stream: `at_start` goes to `within`, `within` to `at_end`. From `at_end` a gzip member or a zstd
/// frame leads back to `within`, and other bytes behind a gzip lead to `past_end`.
enum place {
  /// Before the first byte. Empty content is whole.
  at_start,
  within,
  /// After a whole member, frame or stream.
  at_end,
  /// After the last member of a gzip. The rest is ignored.
  past_end,
};

/// A decoding stream, which `decodeShimMake` returns.
struct decoder {
  int32_t coding;
  enum place place;
  /// The stream of zlib, for gzip and deflate.
  struct zlib_stream zlib;
  bool has_zlib;
  /// The state of brotli or zstd.
  void *other;
};

/// `windowBits` of `inflateInit2`: negative for raw deflate, and plus 16 for gzip.
enum { window_raw = -15, window_zlib = 15, window_gzip = 15 + 16 };

static bool start_zlib(struct decoder *decoder, int window) {
  decoder->has_zlib = zlib.init(&decoder->zlib, window, zlib.version(), (int)sizeof decoder->zlib) == 0;
  return decoder->has_zlib;
}

void *decodeShimMake(int32_t coding) {
  // A zstd frame may ask for a window of up to 8 MB (RFC 9659). Without the limit a server could fill the memory.
  enum { window_log_max = 100, eight_megabytes = 23 };
  if (!decodeShimCan(coding)) return NULL;
  struct decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->coding = coding;
  bool is_made = true;
  switch (coding) {
  case decodeShimGzip: is_made = start_zlib(decoder, window_gzip); break;
  case decodeShimBrotli: is_made = (decoder->other = brotli.make(NULL, NULL, NULL)) != NULL; break;
  case decodeShimZstd:
    is_made = (decoder->other = zstd.make()) != NULL &&
              !zstd.is_error(zstd.set(decoder->other, window_log_max, eight_megabytes));
    break;
  // For deflate, `run_deflate` makes the stream when it has seen a byte.
  default: break;
  }
  if (is_made) return decoder;
  decodeShimFree(decoder);
  return NULL;
}

void decodeShimFree(void *stream) {
  struct decoder *decoder = stream;
  if (decoder->has_zlib) zlib.end(&decoder->zlib);
  if (decoder->other != NULL && decoder->coding == decodeShimBrotli) brotli.destroy(decoder->other);
  if (decoder->other != NULL && decoder->coding == decodeShimZstd) zstd.destroy(decoder->other);
  free(decoder);
}

/// The bytes to decode, and the room for the decoded ones.
struct job {
  const unsigned char *input;
  size_t left;
  unsigned char *output;
  size_t room;
};

static bool run_zlib(struct decoder *decoder, struct job *job) {
  // Z_NO_FLUSH, Z_OK, Z_STREAM_END and Z_BUF_ERROR. The last one only means that input or room is lacking.
  enum { no_flush = 0, ok = 0, end = 1, no_progress = -5 };
  // zlib counts with 32 bits. The caller runs the rest in another step.
  const unsigned int taken = job->left < UINT_MAX ? (unsigned int)job->left : UINT_MAX;
  const unsigned int room = job->room < UINT_MAX ? (unsigned int)job->room : UINT_MAX;
  decoder->zlib.next_in = job->input;
  decoder->zlib.avail_in = taken;
  decoder->zlib.next_out = job->output;
  decoder->zlib.avail_out = room;
  const int result = zlib.run(&decoder->zlib, no_flush);
  job->input += taken - decoder->zlib.avail_in;
  job->left -= taken - decoder->zlib.avail_in;
  job->output += room - decoder->zlib.avail_out;
  job->room -= room - decoder->zlib.avail_out;
  if (result == end) decoder->place = at_end;
  return result == end || result == ok || result == no_progress;
}

/// A gzip may have several members (RFC 1952, section 2.2), and each begins with 1F. Other bytes after a member are
/// ignored, as in browsers.
static bool run_gzip(struct decoder *decoder, struct job *job) {
  while (true) {
    if (job->left > 0 && decoder->place == at_start) decoder->place = within;
    if (job->left > 0 && decoder->place == at_end) {
      decoder->place = *job->input == 0x1F ? within : past_end;
      if (decoder->place == within && zlib.reset(&decoder->zlib) != 0) return false;
    }
    if (decoder->place == past_end) job->left = 0;
    if (decoder->place != within) return true;
    if (!run_zlib(decoder, job)) return false;
    if (decoder->place != at_end) return true;
  }
}

/// "deflate" means a zlib stream, but some servers send raw deflate data without its frame (RFC 9110, section 8.4.1.2).
/// The first byte of a zlib stream has the method 8 and a window size (RFC 1950, section 2.2). As raw data it would be a
/// stored block with a bit set in its padding.
static bool run_deflate(struct decoder *decoder, struct job *job) {
  if (decoder->place == at_start) {
    if (job->left == 0) return true;
    if (!start_zlib(decoder, (*job->input & 0x8F) == 8 ? window_zlib : window_raw)) return false;
    decoder->place = within;
  }
  if (decoder->place == within && !run_zlib(decoder, job)) return false;
  if (decoder->place == at_end) job->left = 0;
  return true;
}

static bool run_brotli(struct decoder *decoder, struct job *job) {
  enum { failed = 0, success = 1 };
  if (decoder->place != at_end) {
    if (job->left > 0) decoder->place = within;
    const int result =
        brotli.run(decoder->other, &job->left, &job->input, &job->room, &job->output, NULL);
    if (result == failed) return false;
    if (result == success) decoder->place = at_end;
  }
  if (decoder->place == at_end) job->left = 0;
  return true;
}

/// Content may have several frames (RFC 8878, section 3). Bytes after a frame have to be another frame.
static bool run_zstd(struct decoder *decoder, struct job *job) {
  if (decoder->place != within && job->left == 0) return true;
  struct zstd_input input = {.bytes = job->input, .size = job->left};
  struct zstd_output output = {.bytes = job->output, .size = job->room};
  while (true) {
    const size_t result = zstd.run(decoder->other, &output, &input);
    if (zstd.is_error(result)) return false;
    decoder->place = result == 0 ? at_end : within;
    // `ZSTD_decompressStream` stops after each frame with the result 0.
    if (result != 0 || input.position == input.size || output.position == output.size) break;
  }
  job->input += input.position;
  job->left -= input.position;
  job->output += output.position;
  job->room -= output.position;
  return true;
}

static bool run(struct decoder *decoder, struct job *job) {
  switch (decoder->coding) {
  case decodeShimGzip: return run_gzip(decoder, job);
  case decodeShimDeflate: return run_deflate(decoder, job);
  case decodeShimBrotli: return run_brotli(decoder, job);
  case decodeShimZstd: return run_zstd(decoder, job);
  default: return false;
  }
}

int32_t decodeShimRun(void *stream, const void *input, size_t *inputCount, void *output, size_t *outputCount) {
  struct decoder *decoder = stream;
  struct job job = {.input = input, .left = *inputCount, .output = output, .room = *outputCount};
  const bool is_good = run(decoder, &job);
  *inputCount = job.left;
  *outputCount -= job.room;
  if (!is_good) return decodeShimFailed;
  return decoder->place == at_end || decoder->place == past_end ? decodeShimEnd : decodeShimGoesOn;
}

#endif
