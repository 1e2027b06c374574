#pragma once

// Decodes compressed content with zlib, which is looked up at run time like libcurl.
//
// The numbers and types are those of zlib's stable ABI (soname 1).

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this machine has zlib. Looks for it once.
bool decodeShimIsAvailable(void);

/// Makes a stream that decodes the coding `deflate`, or else `gzip`; `NULL` without zlib or without memory.
void *_Nullable decodeShimMake(bool isDeflate);
void decodeShimFree(void *_Nonnull stream);

enum {
  /// The coded stream isn't at its end.
  decodeShimGoesOn = 0,
  /// The coded stream may end here. A gzip member may follow.
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
