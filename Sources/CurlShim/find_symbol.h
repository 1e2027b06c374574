#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/// Stores the address of a symbol. ISO C has no cast from an object pointer to a function pointer. The pointer is
/// written through its address instead, as POSIX describes for `dlsym`.
static inline bool find(void *library, const char *name, void *place) {
  void *symbol = dlsym(library, name);
  *(void **)place = symbol;
  return symbol != NULL;
}
