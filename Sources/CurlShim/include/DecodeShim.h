#pragma once

// Decodes compressed content with the libraries that libcurl uses, which are looked up at run time like libcurl itself.
//
// The numbers and types are those of the stable ABIs of zlib (soname 1), brotli (soname 1) and zstd (soname 1).

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The codings of `Content-Encoding`, as `ContentCoding` numbers them.
enum {
  decodeShimGzip = 0,
  decodeShimDeflate = 1,
  decodeShimBrotli = 2,
  decodeShimZstd = 3,
};

/// Whether this machine has a library for the coding. Looks for the libraries once.
bool decodeShimCan(int32_t coding);

/// Makes a decoding stream; `NULL` without the library or without memory.
void *_Nullable decodeShimMake(int32_t coding);
void decodeShimFree(void *_Nonnull stream);

enum {
  /// The coded stream isn't at its end.
  decodeShimGoesOn = 0,
  /// The coded stream may end here. A gzip member or a zstd frame may follow.
  decodeShimEnd = 1,
  decodeShimFailed = -1,
};

/// Decodes from `input` into `output`. One thread at a time uses a stream.
///
/// `inputCount` is the number of bytes, and afterwards the number of bytes left. `outputCount` is the size of the
/// buffer, and afterwards the number of bytes written. If the buffer was filled, the same input may give more.
int32_t decodeShimRun(void *_Nonnull stream, const void *_Nullable input, size_t *_Nonnull inputCount,
                      void *_Nonnull output, size_t *_Nonnull outputCount);

#endif
