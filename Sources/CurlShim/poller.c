#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int32_t curlShimEventMake(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void curlShimEventSignal(int32_t event) {
  const uint64_t one = 1;
  ssize_t written = write(event, &one, sizeof one);
  (void)written;
}

void curlShimEventClear(int32_t event) {
  uint64_t count;
  ssize_t taken = read(event, &count, sizeof count);
  (void)taken;
}

int32_t curlShimPollerMake(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool curlShimPollerWatch(int32_t poller, int32_t descriptor, int32_t wanted, bool isWatched) {
  struct epoll_event interest = {.data.fd = descriptor};
  if (wanted == 0) return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &interest) == 0;
  if (wanted & curlPollIn) interest.events |= EPOLLIN;
  if (wanted & curlPollOut) interest.events |= EPOLLOUT;
  const int first = isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (epoll_ctl(poller, first, descriptor, &interest) == 0) return true;
  // A number that was closed and given out again, out of sight.
  if (errno == ENOENT) return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &interest) == 0;
  if (errno == EEXIST) return epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &interest) == 0;
  return false;
}

int32_t curlShimPollerWait(int32_t poller, struct CurlShimReady *ready, int32_t room, int32_t milliseconds) {
  enum { most = 64 };
  struct epoll_event events[most];
  const int count = epoll_wait(poller, events, room < most ? room : most, milliseconds);
  for (int index = 0; index < count; index++) {
    const uint32_t bits = events[index].events;
    ready[index].descriptor = events[index].data.fd;
    ready[index].mask = (bits & (EPOLLIN | EPOLLHUP) ? curlSelectIn : 0) | (bits & EPOLLOUT ? curlSelectOut : 0) |
                        (bits & EPOLLERR ? curlSelectError : 0);
  }
  return count < 0 ? 0 : count;
}

void curlShimThreadPrepare(const char *name) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_setname_np(pthread_self(), name);
}

#endif
