// Preloaded by `scripts/jitter`: delays threads at random after they release a lock or wait for events, and counts the
// sessions of libcurl that are freed twice, and the closes and writes of descriptors that are not open.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void *curl_multi_init(void);
int curl_multi_cleanup(void *multi);

enum { places = 1 << 16 };
static _Atomic long sessions, freed, double_frees, wrong_closes, wrong_writes;
/// The sessions that were freed last, by a part of their address.
static _Atomic(void *) ended[places];

static _Atomic(void *) *place(void *multi) { return &ended[(uintptr_t)multi / 16 % places]; }

/// One of 16 calls is followed by a delay of up to 0.2 ms, in which other threads go on.
static void delay_at_random(void) {
  static __thread uint64_t state;
  if (state == 0) state = (uint64_t)pthread_self() * 0x9E3779B97F4A7C15u + (uint64_t)clock() + 1;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  if (state % 16 != 0) return;
  const struct timespec delay = {.tv_nsec = (long)(state / 256 % 200000)};
  nanosleep(&delay, NULL);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  REAL(pthread_mutex_unlock);
  const int result = real(mutex);
  delay_at_random();
  return result;
}

int epoll_wait(int poller, struct epoll_event *events, int room, int milliseconds) {
  REAL(epoll_wait);
  const int count = real(poller, events, room, milliseconds);
  delay_at_random();
  return count;
}

void *curl_multi_init(void) {
  REAL(curl_multi_init);
  void *multi = real();
  sessions++;
  *place(multi) = NULL;
  return multi;
}

int curl_multi_cleanup(void *multi) {
  REAL(curl_multi_cleanup);
  freed++;
  if (atomic_exchange(place(multi), multi) != multi) return real(multi);
  double_frees++;
  return 1;
}

int close(int descriptor) {
  REAL(close);
  const int result = real(descriptor);
  if (result != 0 && errno == EBADF) wrong_closes++;
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(write);
  const ssize_t result = real(descriptor, bytes, count);
  if (result < 0 && errno == EBADF) wrong_writes++;
  return result;
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "jitter: %ld sessions, %ld freed, %ld freed twice, %ld wrong closes, %ld wrong writes\n", sessions, freed,
          double_frees, wrong_closes, wrong_writes);
}
