#pragma once

// The libcurl calls that Swift can't make itself. The symbols are looked up at run time, so that no header, package or
// link step is needed; `find_symbol.h` says where libcurl is linked instead. The variadic functions get one typed
// wrapper for each kind of argument.
//
// The numbers and types are those of libcurl's stable ABI (soname 4), as its manual documents them.

#include "ZlibShim.h"

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The library

/// Finds the library and initializes it, once. Call this before any other function. Returns `NULL` if the library can
/// be used, or the reason why not.
const char *_Nullable curlShimLoad(void);

/// The beginning of `curl_version_info_data`, which every version since 7.10 has.
struct CurlShimVersion {
  int age;
  const char *_Nullable text;
  /// `major << 16 | minor << 8 | patch`
  unsigned int number;
  const char *_Nullable host;
  /// The bits of `CURL_VERSION_…`.
  int features;
  /// The name and version of libcurl's TLS library.
  const char *_Nullable tls;
};
/// `NULL` before `curlShimLoad` succeeded.
const struct CurlShimVersion *_Nullable curlShimVersion(void);

enum {
  curlFeatureTLS = 1 << 2,
  curlFeatureAsynchronousLookup = 1 << 7,
  curlFeatureHTTP2 = 1 << 16,
};

// MARK: A client certificate

/// Says what is wrong with two files in PEM: 1 if there is no certificate, 2 if there is no private key or it has
/// another password, 3 if it is the key of another certificate. Returns 0 for nothing, and where OpenSSL isn't loaded.
long curlShimKeyFault(const char *_Nonnull certificate, const char *_Nonnull key, const char *_Nonnull password);

// MARK: One transfer

/// The beginning of libcurl's `struct curl_sockaddr`: the arguments of `socket` for a new connection.
struct CurlShimAddress {
  int family;
  int type;
  int protocol;
};

/// The functions that libcurl calls during a transfer.
struct CurlShimCallbacks {
  /// For a line of a head, for a piece of content, and for bytes of the body to send. Each returns the number of bytes.
  size_t (*_Nonnull line)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
  size_t (*_Nonnull content)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
  size_t (*_Nonnull body)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
  /// For progress. Any result but 0 ends the transfer.
  int (*_Nonnull progress)(void *_Nullable context, int64_t toReceive, int64_t received, int64_t toSend, int64_t sent);
  /// Opens a socket. Returns the descriptor; -1 on failure.
  int (*_Nonnull open_socket)(void *_Nullable context, int purpose, struct CurlShimAddress *_Nullable address);
  /// Closes a socket. Returns 0 on success.
  int (*_Nonnull close_socket)(void *_Nullable context, int descriptor);
  /// Before a name is looked up. Any result but 0 ends the transfer.
  int (*_Nonnull lookup)(void *_Nullable resolver, void *_Nullable reserved, void *_Nullable context);
  /// Before a request goes out. Any result but 0 ends the transfer. `NULL` if this libcurl doesn't know the callback.
  int (*_Nullable prerequest)(void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remotePort,
                              int localPort);
};

/// libcurl's list of lines, such as header fields.
struct CurlShimList;

void *_Nullable curlShimEasyInit(void);
void curlShimEasyCleanup(void *_Nonnull easy);
int32_t curlShimEasyPause(void *_Nonnull easy, int32_t mask);
const char *_Nonnull curlShimEasyMessage(int32_t code);

int32_t curlShimEasySetLong(void *_Nonnull easy, int32_t option, long value);
int32_t curlShimEasySetOffset(void *_Nonnull easy, int32_t option, int64_t value);
int32_t curlShimEasySetPointer(void *_Nonnull easy, int32_t option, const void *_Nullable value);
/// Sets the callbacks and their contexts up to the first one that libcurl refuses. Returns its code, and leaves its
/// number in `option`. `close_socket` has a context of its own, because a connection may outlive the handle that opened
/// it.
int32_t curlShimEasySetCallbacks(void *_Nonnull easy, struct CurlShimCallbacks callbacks, void *_Nonnull context,
                                 void *_Nonnull close_context, int32_t *_Nonnull option);

/// Returns 0 if the library doesn't know the information.
long curlShimEasyGetLong(void *_Nonnull easy, int32_t information);
int64_t curlShimEasyGetOffset(void *_Nonnull easy, int32_t information);
const char *_Nullable curlShimEasyGetString(void *_Nonnull easy, int32_t information);
/// The descriptor of the connection that the handle's last transfer left open; -1 without one.
int32_t curlShimEasyKeptSocket(void *_Nonnull easy);
/// Whether OpenSSL has bytes of the running transfer's connection that libcurl hasn't read.
bool curlShimEasyHasUnreadTLS(void *_Nonnull easy);

/// Returns the list with a copy of the line appended. Returns `NULL` without memory, and leaves the list unchanged.
struct CurlShimList *_Nullable curlShimListAppend(struct CurlShimList *_Nullable list, const char *_Nonnull line);
void curlShimListFree(struct CurlShimList *_Nullable list);

// MARK: Many transfers

/// The callback for the events that libcurl waits for on a descriptor.
typedef int (*CurlShimSocketFunction)(void *_Nonnull easy, int descriptor, int what, void *_Nullable context,
                                      void *_Nullable socketContext);
/// The callback for the time after which libcurl wants to be called; -1 for never.
typedef int (*CurlShimTimerFunction)(void *_Nonnull multi, long milliseconds, void *_Nullable context);

void *_Nullable curlShimMultiInit(void);
int32_t curlShimMultiCleanup(void *_Nonnull multi);
int32_t curlShimMultiAdd(void *_Nonnull multi, void *_Nonnull easy);
int32_t curlShimMultiRemove(void *_Nonnull multi, void *_Nonnull easy);
int32_t curlShimMultiSetLong(void *_Nonnull multi, int32_t option, long value);
/// Returns whether libcurl accepted both callbacks.
bool curlShimMultiSetCallbacks(void *_Nonnull multi, CurlShimSocketFunction _Nonnull socket,
                               CurlShimTimerFunction _Nonnull timer, void *_Nullable context);
int32_t curlShimMultiSocketAction(void *_Nonnull multi, int descriptor, int mask);
/// The next transfer that ended, and how; `NULL` when there is no more.
void *_Nullable curlShimMultiNextEnded(void *_Nonnull multi, int32_t *_Nonnull code);

// MARK: Sleeping until a descriptor is ready

/// Makes a descriptor that ends a wait; -1 if the system has no descriptor left.
int32_t curlShimEventMake(void);
void curlShimEventSignal(int32_t event);

/// Makes a poller that watches many descriptors, and an event: each signal ends one wait, and nobody has to consume it.
/// Returns -1 without an event, or if the system has no descriptor left.
int32_t curlShimPollerMake(int32_t event);
/// Watches the descriptor for the `wanted` events: `curlPollIn`, `curlPollOut`, and `curlPollEnd` for the end of what
/// the other side sends. 0 ends the watch. Returns `false` on failure.
bool curlShimPollerWatch(int32_t poller, int32_t descriptor, int32_t wanted);

/// A descriptor, and the events for which it is ready; -1 for the event that ends a wait.
struct CurlShimReady {
  int32_t descriptor;
  /// `curlSelectIn`, `curlSelectOut` and `curlSelectError`.
  int32_t mask;
};
/// Waits until something is ready, or for as many milliseconds; -1 waits without end. Fills the first of
/// `curlPollBatch` entries, and returns their number; 0 if the time is over, or if a signal interrupted the wait.
int32_t curlShimPollerWait(int32_t poller, struct CurlShimReady *_Nonnull ready, int32_t milliseconds);

/// Starts a thread that nobody joins and that frees itself when it ends. Returns `false` if the system has no thread
/// left.
bool curlShimThreadStart(void *_Nullable (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);
/// Names the calling thread with at most 15 bytes. Swift has no declaration of the GNU function.
void curlShimThreadName(const char *_Nonnull name);

/// Blocks SIGPIPE on the calling thread.
void curlShimPipeSignalBlock(void);

/// Opens a socket that child processes don't inherit; -1 on failure.
int32_t curlShimSocketOpen(struct CurlShimAddress address);
/// Whether the peer has ended its side of a connection, and bytes of the peer are unread.
bool curlShimSocketHasLastBytes(int32_t descriptor);
/// Replaces an open connection with one that has ended, under the same descriptor, and closes the open one. libcurl
/// then finds the end and doesn't use the connection again. Returns `false` if the system has no descriptor left.
bool curlShimSocketEndInPlace(int32_t descriptor);

/// The local port of a TCP connection whose other end has acknowledged nothing although bytes were sent again three
/// times; 0 for any other descriptor. The system takes at least 1.4 seconds for that.
long curlShimSocketUnansweredPort(int32_t descriptor);

// MARK: Numbers

// The numbers of `CURLOPT_…`, `CURLMOPT_…` and `CURLINFO_…`. Each number contains the type of its value. For an option
// the ten thousands say it: 0 for `long`, 1 for pointers, 2 for functions and 3 for `curl_off_t`.
enum {
  curlOptionWriteData = 10001,
  curlOptionURL = 10002,
  curlOptionProxy = 10004,
  curlOptionReadData = 10009,
  curlOptionErrorBuffer = 10010,
  curlOptionPostFields = 10015,
  curlOptionHeaders = 10023,
  curlOptionClientCertificate = 10025,
  curlOptionKeyPassword = 10026,
  curlOptionHeaderData = 10029,
  curlOptionCustomMethod = 10036,
  curlOptionProgressData = 10057,
  curlOptionCAFile = 10065,
  curlOptionClientCertificateType = 10086,
  curlOptionClientKey = 10087,
  curlOptionCADirectory = 10097,
  curlOptionPrivate = 10103,
  curlOptionOpenSocketData = 10164,
  curlOptionCopyPostFields = 10165,
  curlOptionNoProxy = 10177,
  curlOptionResolve = 10203,
  curlOptionCloseSocketData = 10209,
  curlOptionLookupData = 10273,
  curlOptionPinnedPublicKey = 10230,
  curlOptionUnixSocketPath = 10231,
  curlOptionRequestTarget = 10266,
  curlOptionProxyCAFile = 10246,
  curlOptionProxyCADirectory = 10247,
  curlOptionPrerequestData = 10313,

  curlOptionWriteFunction = 20011,
  curlOptionReadFunction = 20012,
  curlOptionHeaderFunction = 20079,
  curlOptionOpenSocketFunction = 20163,
  curlOptionCloseSocketFunction = 20208,
  curlOptionLookupFunction = 20272,
  curlOptionProgressFunction = 20219,
  curlOptionPrerequestFunction = 20312,

  curlOptionPostFieldSize = 30120,

  curlOptionTLSVersion = 32,
  curlOptionNoProgress = 43,
  curlOptionNoBody = 44,
  curlOptionPost = 47,
  curlOptionVerifyPeer = 64,
  curlOptionFreshConnect = 74,
  curlOptionForbidReuse = 75,
  curlOptionHTTPGet = 80,
  curlOptionVerifyHost = 81,
  curlOptionHTTPVersion = 84,
  curlOptionAddressLifetime = 92,
  curlOptionBufferSize = 98,
  curlOptionNoSignal = 99,
  curlOptionTLSSessions = 150,
  curlOptionConnectTimeout = 156,
  curlOptionProtocols = 181,
  curlOptionTCPKeepAlive = 213,
  curlOptionTCPKeepIdle = 214,
  curlOptionTCPKeepInterval = 215,
  curlOptionPathAsIs = 234,
  curlOptionPipeWait = 237,
  curlOptionProxyVerifyPeer = 248,
  curlOptionProxyVerifyHost = 249,
  curlOptionProxyTLSVersion = 250,
  curlOptionSuppressConnectHeaders = 265,
  curlOptionUploadBufferSize = 280,
  curlOptionConnectionAge = 288,
  curlOptionTrustLifetime = 321,

  curlMultiOptionSocketFunction = 20001,
  curlMultiOptionSocketData = 10002,
  curlMultiOptionTimerFunction = 20004,
  curlMultiOptionTimerData = 10005,
  curlMultiOptionMaximumConnects = 6,
  curlMultiOptionMaximumHostConnections = 7,
  curlMultiOptionMaximumStreams = 16,
  curlMultiOptionLookupThreads = 20,

  curlInformationOperatingSystemError = 0x200000 + 25,
  curlInformationRequestSize = 0x200000 + 12,
  curlInformationConnects = 0x200000 + 26,
  curlInformationRemotePort = 0x200000 + 40,
  curlInformationLocalPort = 0x200000 + 42,
  curlInformationHTTPVersion = 0x200000 + 46,
  curlInformationCAFile = 0x100000 + 61,
  curlInformationCADirectory = 0x100000 + 62,
  curlInformationPrivate = 0x100000 + 21,
  curlInformationRemoteAddress = 0x100000 + 32,
  curlInformationLocalAddress = 0x100000 + 41,
  curlInformationBytesSent = 0x600000 + 7,
  curlInformationBytesReceived = 0x600000 + 8,
  curlInformationTotalTime = 0x600000 + 50,
  curlInformationLookupTime = 0x600000 + 51,
  curlInformationConnectTime = 0x600000 + 52,
  curlInformationPretransferTime = 0x600000 + 53,
  curlInformationFirstByteTime = 0x600000 + 54,
  curlInformationTLSTime = 0x600000 + 56,
};

// The values of options, results of callbacks and flags.
enum {
  curlPause = 0x10000001,
  curlReadAbort = 0x10000000,
  curlPauseReceiving = 1,
  curlPauseSending = 4,
  curlPauseBoth = 5,
  curlProtocolsWeb = 3,
  curlSocketTimeout = -1,
  curlSelectIn = 1,
  curlSelectOut = 2,
  curlSelectError = 4,
  curlPollIn = 1,
  curlPollOut = 2,
  curlPollRemove = 4,
  curlPollEnd = 8,
  curlPollBatch = 64,
  curlHTTPVersion1_1 = 2,
  curlHTTPVersion2TLS = 4,
  curlTLSVersion1_2 = 6,
  curlTLSVersion1_3 = 7,
  curlVerifyHostName = 2,
  curlCodeNotBuiltIn = 4,
  curlCodeOutOfMemory = 27,
  curlCodeUnknownOption = 48,
};

#endif
