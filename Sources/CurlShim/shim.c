#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"
#include "find_symbol.h"

#include <pthread.h>
#include <stdio.h>

/// libcurl's `CURLMsg`: a transfer that has ended, and its `CURLcode`.
struct message {
  int kind;
  void *easy;
  union {
    void *whatever;
    int code;
  } data;
};

/// The functions of libcurl. `load` fills the table once.
static struct {
  int (*global_init)(long);
  const struct CurlShimVersion *(*version_info)(int);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *);
  int (*easy_pause)(void *, int);
  const char *(*easy_strerror)(int);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  struct CurlShimList *(*slist_append)(struct CurlShimList *, const char *);
  void (*slist_free_all)(struct CurlShimList *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_setopt)(void *, int, ...);
  int (*multi_socket_action)(void *, int, int, int *);
  struct message *(*multi_info_read)(void *, int *);
  /// OpenSSL's function; `NULL` if libcurl uses another library.
  int (*ssl_pending)(const void *);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "not loaded";
static const struct CurlShimVersion *version;

/// The first function that a libcurl lacks.
static const char *missing;

#define HAS(name) (FIND(library, curl_##name, &curl.name) || (missing = "curl_" #name, false))

/// All symbols come from one place: two builds of the library may be in one process.
static bool find_all(void *library) {
  (void)FIND(library, SSL_pending, &curl.ssl_pending);
  return HAS(global_init) && HAS(version_info) && HAS(easy_init) && HAS(easy_cleanup) && HAS(easy_pause) &&
         HAS(easy_strerror) && HAS(easy_setopt) && HAS(easy_getinfo) && HAS(slist_append) && HAS(slist_free_all) &&
         HAS(multi_init) && HAS(multi_cleanup) && HAS(multi_add_handle) && HAS(multi_remove_handle) &&
         HAS(multi_setopt) && HAS(multi_socket_action) && HAS(multi_info_read);
}

#if defined(CURL_SHIM_LINKED)
static const char *const names[] = {"the linked libcurl (-lcurl)"};
#else
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4", "libcurl.so"};
#endif

static bool find_somewhere(void) {
  // Foundation has usually loaded one. A second libcurl would bring its own TLS library along.
  if (find_all(RTLD_DEFAULT)) return true;
  static char message[80];
  failure = "libcurl.so.4 was not found";
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *library = open_library(names[index]);
    if (library == NULL) continue;
    if (find_all(library)) return true;
    if (failure != message) snprintf(message, sizeof message, "%s lacks %s", names[index], missing);
    failure = message;
    close_library(library);
  }
  return false;
}

static void load(void) {
  // CURL_GLOBAL_ALL and CURLVERSION_FIRST
  const long everything = 3;
  const int age_first = 0;
  if (!find_somewhere()) return;
  if (curl.global_init(everything) != 0) {
    failure = "libcurl could not be initialized";
  } else {
    version = curl.version_info(age_first);
    failure = NULL;
  }
}

const char *curlShimLoad(void) {
  pthread_once(&once, load);
  return failure;
}

const struct CurlShimVersion *curlShimVersion(void) { return version; }

void *curlShimEasyInit(void) { return curl.easy_init(); }
void curlShimEasyCleanup(void *easy) { curl.easy_cleanup(easy); }
int32_t curlShimEasyPause(void *easy, int32_t mask) { return curl.easy_pause(easy, mask); }
const char *curlShimEasyMessage(int32_t code) { return curl.easy_strerror(code); }

int32_t curlShimEasySetLong(void *easy, int32_t option, long value) { return curl.easy_setopt(easy, option, value); }
int32_t curlShimEasySetOffset(void *easy, int32_t option, int64_t value) {
  return curl.easy_setopt(easy, option, value);
}
int32_t curlShimEasySetPointer(void *easy, int32_t option, const void *value) {
  return curl.easy_setopt(easy, option, value);
}
int32_t curlShimEasySetCallbacks(void *easy, struct CurlShimCallbacks callbacks, void *context, void *close_context,
                                 int32_t *option) {
#define SET_OPTION(number, value) \
  if (code == 0) code = curl.easy_setopt(easy, *option = number, value)
#define SET(name, function, data)                             \
  SET_OPTION(curlOption##name##Function, callbacks.function); \
  SET_OPTION(curlOption##name##Data, data)
  int32_t code = 0;
  SET_OPTION(curlOptionPrivate, context);
  SET(Header, line, context);
  SET(Write, content, context);
  SET(Read, body, context);
  SET(Progress, progress, context);
  SET(OpenSocket, open_socket, context);
  SET(CloseSocket, close_socket, close_context);
  SET(Lookup, lookup, context);
  if (callbacks.prerequest == NULL) return code;
  SET(Prerequest, prerequest, context);
  return code;
#undef SET
#undef SET_OPTION
}

// A failed `curl_easy_getinfo` may leave the value unset, so each begins with one that means "unknown".

long curlShimEasyGetLong(void *easy, int32_t info) {
  long value = 0;
  return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}
int64_t curlShimEasyGetOffset(void *easy, int32_t info) {
  int64_t value = 0;
  return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}
const char *curlShimEasyGetString(void *easy, int32_t info) {
  char *value = NULL;
  return curl.easy_getinfo(easy, info, &value) == 0 ? value : NULL;
}
int32_t curlShimEasyKeptSocket(void *easy) {
  // CURLINFO_ACTIVESOCKET
  const int activeSocket = 0x500000 + 44;
  int descriptor = -1;
  return curl.easy_getinfo(easy, activeSocket, &descriptor) == 0 ? descriptor : -1;
}
bool curlShimEasyHasUnreadTLS(void *easy) {
  // CURLINFO_TLS_SSL_PTR, CURLSSLBACKEND_OPENSSL and `struct curl_tlssessioninfo`
  const int tlsPointer = 0x400000 + 45;
  const int openssl = 1;
  const struct {
    int backend;
    const void *session;
  } *tls = NULL;
  if (curl.ssl_pending == NULL || curl.easy_getinfo(easy, tlsPointer, &tls) != 0 || tls == NULL) return false;
  return tls->backend == openssl && tls->session != NULL && curl.ssl_pending(tls->session) > 0;
}

struct CurlShimList *curlShimListAppend(struct CurlShimList *list, const char *line) {
  return curl.slist_append(list, line);
}
void curlShimListFree(struct CurlShimList *list) { curl.slist_free_all(list); }

void *curlShimMultiInit(void) { return curl.multi_init(); }
int32_t curlShimMultiCleanup(void *multi) { return curl.multi_cleanup(multi); }
int32_t curlShimMultiAdd(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }
int32_t curlShimMultiRemove(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }
int32_t curlShimMultiSetLong(void *multi, int32_t option, long value) {
  return curl.multi_setopt(multi, option, value);
}
bool curlShimMultiSetCallbacks(void *multi, CurlShimSocketFunction socket, CurlShimTimerFunction timer, void *context) {
  return curl.multi_setopt(multi, curlMultiOptionSocketData, context) == 0 &&
         curl.multi_setopt(multi, curlMultiOptionTimerData, context) == 0 &&
         curl.multi_setopt(multi, curlMultiOptionSocketFunction, socket) == 0 &&
         curl.multi_setopt(multi, curlMultiOptionTimerFunction, timer) == 0;
}
int32_t curlShimMultiSocketAction(void *multi, int descriptor, int mask) {
  int running = 0;
  return curl.multi_socket_action(multi, descriptor, mask, &running);
}
void *curlShimMultiNextEnded(void *multi, int32_t *code) {
  // CURLMSG_DONE, the only kind there is.
  const int done = 1;
  int left = 0;
  struct message *message;
  while ((message = curl.multi_info_read(multi, &left)) != NULL) {
    if (message->kind != done) continue;
    *code = message->data.code;
    return message->easy;
  }
  return NULL;
}

#endif
