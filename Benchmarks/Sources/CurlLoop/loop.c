// A plain loop over libcurl: one thread with one multi handle, and a locked list of new requests.
#include "CurlLoop.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
  int kind;
  void *easy;
  union {
    void *whatever;
    int code;
  } data;
};

/// One easy handle with the request that it sends now.
struct transfer {
  void *easy;
  void *context;
  CurlLoopEnd end;
  char *bytes;
  size_t count, capacity;
  struct transfer *next;
};

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  void *(*multi_init)(void);
  int (*multi_setopt)(void *, int, ...);
  void *(*slist_append)(void *, const char *);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_perform)(void *, int *);
  int (*multi_poll)(void *, void *, unsigned, int, int *);
  int (*multi_wakeup)(void *);
  struct message *(*multi_info_read)(void *, int *);
} curl;

enum {
  optionWriteData = 10001, optionURL = 10002, optionTimeout = 13, optionCAFile = 10065, optionNoSignal = 99,
  optionPrivate = 10103, optionWriteFunction = 20011, optionPipeWait = 237, optionHeaders = 10023,
  multiMaxConnects = 6, multiMaxHostConnections = 7,
  infoStatus = 0x200002, infoPrivate = 0x100015,
  connectionLimit = 64,
};

static void *multi;
static const char *trusted;
/// The header fields of every request, which are those that the library sends.
static void *headers;
/// Guards `unused` and the list of new requests.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct transfer *unused, *added, **last = &added;

static bool find(void *library, const char *name, void *place) {
  return (*(void **)place = dlsym(library, name)) != NULL;
}

bool curlLoopLoad(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#define FIND(name) find(library, "curl_" #name, &curl.name)
  return library != NULL && FIND(global_init) && FIND(easy_init) && FIND(easy_setopt) && FIND(easy_getinfo) &&
         FIND(multi_init) && FIND(multi_setopt) && FIND(multi_add_handle) && FIND(multi_remove_handle) &&
         FIND(multi_perform) && FIND(multi_poll) && FIND(multi_wakeup) && FIND(multi_info_read) && FIND(slist_append);
}

static size_t receive(const char *piece, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  size_t needed = transfer->count + size * count;
  if (needed > transfer->capacity) {
    size_t capacity = needed > 2 * transfer->capacity ? needed : 2 * transfer->capacity;
    char *bytes = realloc(transfer->bytes, capacity);
    if (bytes == NULL) return 0;
    transfer->bytes = bytes;
    transfer->capacity = capacity;
  }
  memcpy(transfer->bytes + transfer->count, piece, size * count);
  transfer->count = needed;
  return size * count;
}

static struct transfer *make_transfer(void) {
  struct transfer *transfer = calloc(1, sizeof *transfer);
  transfer->easy = curl.easy_init();
  curl.easy_setopt(transfer->easy, optionPrivate, transfer);
  curl.easy_setopt(transfer->easy, optionWriteFunction, receive);
  curl.easy_setopt(transfer->easy, optionWriteData, transfer);
  curl.easy_setopt(transfer->easy, optionNoSignal, 1L);
  curl.easy_setopt(transfer->easy, optionTimeout, 60L);
  curl.easy_setopt(transfer->easy, optionHeaders, headers);
  if (trusted != NULL) {
    curl.easy_setopt(transfer->easy, optionCAFile, trusted);
    // Without this, the first requests open a connection each, although HTTP/2 needs only one.
    curl.easy_setopt(transfer->easy, optionPipeWait, 1L);
  }
  return transfer;
}

void curlLoopFetch(const char *url, void *context, CurlLoopEnd end) {
  pthread_mutex_lock(&lock);
  struct transfer *transfer = unused;
  if (transfer != NULL) unused = transfer->next;
  pthread_mutex_unlock(&lock);
  if (transfer == NULL) transfer = make_transfer();
  curl.easy_setopt(transfer->easy, optionURL, url);
  transfer->context = context;
  transfer->end = end;
  transfer->next = NULL;
  pthread_mutex_lock(&lock);
  bool isFirst = added == NULL;
  *last = transfer;
  last = &transfer->next;
  pthread_mutex_unlock(&lock);
  // The loop takes the whole list, so the first request of a list wakes the loop for all of them.
  if (isFirst) curl.multi_wakeup(multi);
}

static void add_new_requests(void) {
  pthread_mutex_lock(&lock);
  struct transfer *transfer = added;
  added = NULL;
  last = &added;
  pthread_mutex_unlock(&lock);
  while (transfer != NULL) {
    struct transfer *next = transfer->next;
    curl.multi_add_handle(multi, transfer->easy);
    transfer = next;
  }
}

static void end_transfer(void *easy, int code) {
  struct transfer *transfer = NULL;
  long status = 0;
  curl.easy_getinfo(easy, infoPrivate, &transfer);
  curl.easy_getinfo(easy, infoStatus, &status);
  curl.multi_remove_handle(multi, easy);
  struct transfer ended = *transfer;
  transfer->bytes = NULL;
  transfer->count = transfer->capacity = 0;
  pthread_mutex_lock(&lock);
  transfer->next = unused;
  unused = transfer;
  pthread_mutex_unlock(&lock);
  ended.end(ended.context, code, status, ended.bytes, ended.count);
}

static void *run(void *context) {
  for (;;) {
    int count = 0;
    add_new_requests();
    curl.multi_perform(multi, &count);
    for (struct message *message; (message = curl.multi_info_read(multi, &count)) != NULL;)
      end_transfer(message->easy, message->data.code);
    curl.multi_poll(multi, NULL, 0, 1000, NULL);
  }
  return context;
}

bool curlLoopStart(const char *certificate) {
  const long everything = 3;
  trusted = certificate;
  if (curl.global_init(everything) != 0 || (multi = curl.multi_init()) == NULL) return false;
  // Each field costs libcurl about 3,400 instructions a request, so a loop without them would do less.
  const char *fields[] = {
    "Accept: application/json", "User-Agent: FeatherRESTClient/1.0.0", "Accept-Encoding: gzip, deflate",
  };
  for (size_t index = 0; index < sizeof fields / sizeof *fields; index++) {
    headers = curl.slist_append(headers, fields[index]);
  }
  curl.multi_setopt(multi, multiMaxConnects, (long)connectionLimit);
  curl.multi_setopt(multi, multiMaxHostConnections, (long)connectionLimit);
  pthread_t thread;
  return pthread_create(&thread, NULL, run, NULL) == 0;
}
