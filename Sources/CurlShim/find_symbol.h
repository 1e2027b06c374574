#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

// Where libcurl and zlib are linked, their functions are weak externs, which are `NULL` if the library lacks them. musl
// always takes this form, because its `dlsym` finds nothing in a static program. `CURL_SHIM_LINKED` chooses it
// elsewhere.
#if defined(__linux__) && !defined(__GLIBC__) && !defined(__ANDROID__) && !defined(CURL_SHIM_LINKED)
#define CURL_SHIM_LINKED
#endif

/// Stores the address of a symbol. ISO C has no cast from an object pointer to a function pointer. The pointer is
/// written through its address instead, as POSIX describes for `dlsym`.
static inline bool store(void *symbol, void *place) {
  *(void **)place = symbol;
  return symbol != NULL;
}

#if defined(CURL_SHIM_LINKED)

#define FIND(library, name, place)                \
  ({                                              \
    extern void name(void) __attribute__((weak)); \
    (void)(library);                              \
    store((void *)name, place);                   \
  })

/// The library is a part of the program. The result is not `NULL`, and of no other use.
static inline void *open_library(const char *name) { return (void *)name; }
static inline void close_library(void *library) { (void)library; }

#else

/// Finds a symbol in a library, and stores its address. Returns `false` if there is none.
#define FIND(library, name, place) store(dlsym(library, #name), place)

/// Opens a library for this program's own use; `NULL` if there is none.
static inline void *open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static inline void close_library(void *library) { dlclose(library); }

#endif
