#pragma once

// Decodes what a server has compressed, with the libraries that libcurl uses for that, looked up at run time like
// libcurl itself.
//
// The numbers and types are those of the stable ABIs of zlib (soname 1), brotli (soname 1) and zstd (soname 1).

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  decodeShimGzip = 0,
  decodeShimDeflate = 1,
  decodeShimBrotli = 2,
  decodeShimZstd = 3,
};

/// Whether this machine has a library for the coding. Looks for the libraries once.
bool decodeShimCan(int32_t coding);

/// A stream that decodes; `NULL` where there is no library or no memory.
void *_Nullable decodeShimMake(int32_t coding);
void decodeShimFree(void *_Nonnull stream);

enum {
  /// The coded stream isn't at its end.
  decodeShimGoesOn = 0,
  /// The coded stream may end here. A gzip member or a zstd frame may follow.
  decodeShimEnd = 1,
  decodeShimFailed = -1,
};

/// Decodes from `input` into `output`.
///
/// `inputCount` is the number of bytes, and then of those that are left. `outputCount` is the size of the room, and
/// then the number of bytes that were written. Where the room was filled, more may come of the same input.
int32_t decodeShimRun(void *_Nonnull stream, const void *_Nullable input, size_t *_Nonnull inputCount,
                      void *_Nonnull output, size_t *_Nonnull outputCount);

#endif
