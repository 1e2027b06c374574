#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int32_t curlShimEventMake(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void curlShimEventSignal(int32_t event) {
  const uint64_t one = 1;
  // The write fails only if the counter is full, and the event is then signaled already.
  ssize_t written = write(event, &one, sizeof one);
  (void)written;
}

int32_t curlShimPollerMake(int32_t event) {
  // Edge-triggered: each signal ends one wait, although nobody reads the descriptor. -1 is no socket's descriptor.
  struct epoll_event interest = {.data.fd = -1, .events = EPOLLIN | EPOLLET};
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, event, &interest) == 0) return poller;
  close(poller);
  return -1;
}

bool curlShimPollerWatch(int32_t poller, int32_t descriptor, int32_t wanted) {
  if (wanted == 0) return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL) == 0;
  struct epoll_event interest = {.data.fd = descriptor};
  if (wanted & curlPollIn) interest.events |= EPOLLIN;
  if (wanted & curlPollOut) interest.events |= EPOLLOUT;
  if (wanted & curlPollEnd) interest.events |= EPOLLRDHUP;
  // A new descriptor isn't known yet.
  return epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &interest) == 0 ||
         (errno == ENOENT && epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &interest) == 0);
}

int32_t curlShimPollerWait(int32_t poller, struct CurlShimReady *ready, int32_t milliseconds) {
  struct epoll_event events[curlPollBatch];
  const int count = epoll_wait(poller, events, curlPollBatch, milliseconds);
  for (int index = 0; index < count; index++) {
    const uint32_t bits = events[index].events;
    ready[index].descriptor = events[index].data.fd;
    ready[index].mask = (bits & (EPOLLIN | EPOLLHUP | EPOLLRDHUP) ? curlSelectIn : 0) |
                        (bits & EPOLLOUT ? curlSelectOut : 0) | (bits & EPOLLERR ? curlSelectError : 0);
  }
  // -1 means that a signal interrupted the wait. The caller waits again.
  return count < 0 ? 0 : count;
}

int32_t curlShimSocketOpen(struct CurlShimAddress address) {
  // A child process must not inherit the connection.
  return socket(address.family, address.type | SOCK_CLOEXEC, address.protocol);
}

bool curlShimSocketHasLastBytes(int32_t descriptor) {
  struct pollfd state = {.fd = descriptor, .events = POLLIN | POLLRDHUP};
  if (poll(&state, 1, 0) <= 0 || !(state.revents & (POLLRDHUP | POLLHUP | POLLERR))) return false;
  char byte;
  return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

bool curlShimSocketEndInPlace(int32_t descriptor) {
  // A socket whose other end is closed takes the number of the connection. `shutdown` isn't enough: unread bytes stay,
  // and libcurl 7.88 looks only for the end (`recv` with MSG_PEEK), which they hide.
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  // A process that another thread is just starting has copies of all descriptors, which `close` alone would leave open.
  shutdown(pair[0], SHUT_RDWR);
  close(pair[1]);
  const bool isDone = dup3(pair[0], descriptor, O_CLOEXEC) == descriptor;
  close(pair[0]);
  return isDone;
}

long curlShimSocketUnansweredPort(int32_t descriptor) {
  struct tcp_info information;
  socklen_t size = sizeof information;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &information, &size) != 0) return 0;
  if (information.tcpi_retransmits < 3) return 0;
  // An IPv4 address has its port in the same place.
  struct sockaddr_in6 address;
  size = sizeof address;
  return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin6_port) : 0;
}

void curlShimPipeSignalBlock(void) {
  // For one thread, because the signal's handler belongs to the whole process.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, NULL);
}

bool curlShimThreadStart(void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // musl gives a thread 128 KB, which may be too little for TLS and a completion.
  const size_t least = 1024 * 1024;
  size_t size = 0;
  if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < least) pthread_attr_setstacksize(&attributes, least);
  pthread_t thread;
  const bool isStarted = pthread_create(&thread, &attributes, body, context) == 0;
  pthread_attr_destroy(&attributes);
  return isStarted;
}

void curlShimThreadName(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
