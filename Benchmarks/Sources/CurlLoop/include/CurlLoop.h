#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Receives a finished response on the loop's thread. The receiver must pass `bytes` to `free`.
///
/// - Parameters:
///   - code: libcurl's `CURLcode`; 0 for a complete response.
///   - status: the status of the response.
///   - bytes: the body; `NULL` if the body is empty.
typedef void (*CurlLoopEnd)(void *context, int code, long status, char *bytes, size_t count);

/// Loads libcurl.so.4. Call the other functions only if this function returns `true`.
bool curlLoopLoad(void);

/// Starts the thread of the loop. Call this once.
///
/// - Parameter certificate: the path of the only trusted certificate; `NULL` trusts the system's. The caller keeps the
///   string.
/// - Returns: whether the thread runs.
bool curlLoopStart(const char *certificate);

/// Sends a GET from any thread, and calls `end` once. The caller keeps `url` until then.
void curlLoopFetch(const char *url, void *context, CurlLoopEnd end);
