#pragma once

// The few zlib calls that decode compressed content and make a gzip stream, looked up at run time like libcurl's.
//
// The numbers and types are those of zlib's stable ABI (soname 1), as its manual documents them.

#if defined(__linux__) || defined(__APPLE__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the system has zlib (`libz.so.1`, on Apple's systems `/usr/lib/libz.1.dylib`). Looks for it once.
bool zlibShimIsAvailable(void);

/// The state of a stream after a step.
enum {
  /// The stream isn't at its end.
  zlibShimGoesOn = 0,
  /// The stream is at its end. A coded stream may end here, or another gzip member follows.
  zlibShimEnd = 1,
  zlibShimFailed = -1,
};

// MARK: Decoding

/// Makes a stream that decodes the coding `deflate`, or else `gzip`; `NULL` without zlib or without memory.
void *_Nullable decodeShimMake(bool isDeflate);
void decodeShimFree(void *_Nonnull stream);

/// Decodes from `input` into `output`. One thread at a time uses a stream.
///
/// `inputCount` is the number of bytes, and afterwards the number of bytes left. `outputCount` is the size of the
/// buffer, and afterwards the number of bytes written. If the buffer was filled, the same input may give more.
int32_t decodeShimRun(void *_Nonnull stream, const void *_Nullable input, size_t *_Nonnull inputCount,
                      void *_Nonnull output, size_t *_Nonnull outputCount);

// MARK: Compressing

/// Makes a stream that compresses to gzip; `NULL` without zlib or without memory.
void *_Nullable deflateShimMake(void);
void deflateShimFree(void *_Nonnull stream);

/// Compresses from `input` into `output`.
///
/// `inputCount` is the number of bytes, and afterwards the number of bytes left. `outputCount` is the size of the
/// buffer, and afterwards the number of bytes written. With `isLast` the stream ends after these bytes, which may need
/// several calls. One thread at a time uses a stream.
int32_t deflateShimRun(void *_Nonnull stream, const void *_Nullable input, size_t *_Nonnull inputCount,
                       void *_Nonnull output, size_t *_Nonnull outputCount, bool isLast);

#endif
