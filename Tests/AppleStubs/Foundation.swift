// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each declaration has the page that it is from instead.

// The declarations of Apple's Foundation and Darwin that Linux lacks or declares otherwise. Both are one module here,
// because Apple's Foundation exports Darwin. The pages are those of https://developer.apple.com/documentation and of
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS.

@_exported import Foundation
// Apple's Foundation has `URLSession` itself.
@_exported import FoundationNetworking
// Apple's Foundation has `XMLParser` too.
@_exported import FoundationXML
import Security

// MARK: Foundation

// foundation/nsurlauthenticationmethodservertrust and foundation/nsurlauthenticationmethodclientcertificate
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
  // foundation/urlprotectionspace/servertrust
  public var serverTrust: SecTrust? { fatalError() }
}

extension URLCredential {
  // foundation/urlcredential/init(trust:)
  public convenience init(trust: SecTrust) { fatalError() }
  // foundation/urlcredential/init(identity:certificates:persistence:)
  public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    fatalError()
  }
}

extension URLSessionConfiguration {
  // foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { fatalError() }
    set { fatalError() }
  }
}

extension URLSessionConfiguration {
  // foundation/urlsessionconfiguration/allowsconstrainednetworkaccess
  public var allowsConstrainedNetworkAccess: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  // foundation/urlsessionconfiguration/allowsexpensivenetworkaccess
  public var allowsExpensiveNetworkAccess: Bool {
    get { fatalError() }
    set { fatalError() }
  }
}

extension URLError {
  // foundation/urlerror/networkunavailablereason-swift.enum
  public enum NetworkUnavailableReason {
    case cellular
    case expensive
    case constrained
  }
  // foundation/urlerror/networkunavailablereason-swift.property
  public var networkUnavailableReason: NetworkUnavailableReason? { fatalError() }
}

// Apple's delegates have optional methods, and one with another signature is never called. Here the methods that the
// library has are requirements: the script adds the protocol to each class with such a delegate's name. The defaults
// make those of Linux ambiguous, so that only a method of the class fulfils a requirement.

// foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegateMethods {
  // foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

extension URLSessionTaskDelegateMethods {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}
}

// foundation/urlsessiondatadelegate
public protocol URLSessionDataDelegateMethods: URLSessionTaskDelegateMethods {
  // foundation/urlsessiondatadelegate/urlsession(_:datatask:didreceive:completionhandler:)
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  // foundation/urlsessiondatadelegate/urlsession(_:datatask:didreceive:)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
  // foundation/urlsessiontaskdelegate/urlsession(_:task:didsendbodydata:totalbytessent:totalbytesexpectedtosend:)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)
  // foundation/urlsessiontaskdelegate/urlsession(_:task:didreceive:completionhandler:)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  // foundation/urlsessiontaskdelegate/urlsession(_:task:didfinishcollecting:)
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
  // foundation/urlsessiontaskdelegate/urlsession(_:task:didcompletewitherror:)
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

extension URLSessionDataDelegateMethods {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {}
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {}
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

#if iOS
  // foundation/process: macOS only
  @available(*, unavailable, message: "Process is only on macOS")
  public enum Process {}
#endif

// MARK: Core Foundation

// The types are classes that Swift converts with `as`. The script turns ` as CFData` into `.asCFData`.

// corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
// corefoundation/cftypeid
public typealias CFTypeID = UInt
// corefoundation/cfgettypeid(_:)
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }

extension String {
  public var asCFString: CFString { fatalError() }
}

extension Data {
  public var asCFData: CFData { fatalError() }
}

extension Array {
  public var asCFArray: CFArray { fatalError() }
}

extension Dictionary {
  public var asCFDictionary: CFDictionary { fatalError() }
}

extension Optional where Wrapped == CFArray {
  public func `as`<Value>(_ type: Value.Type) -> Value? { fatalError() }
}

extension CFString {
  public var asString: String { fatalError() }
}

extension CFData {
  public var asData: Data { fatalError() }
}

// MARK: Darwin

// sys/_pthread/_pthread_t.h
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
// man page pthread_create(3)
@discardableResult public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
// man page pthread_self(3)
public func pthread_self() -> pthread_t { fatalError() }
// man page pthread_equal(3)
public func pthread_equal(_: pthread_t!, _: pthread_t!) -> Int32 { fatalError() }

// man page socket(2)
public let SOCK_STREAM: Int32 = 1
// man page getsockopt(2)
public let SO_NOSIGPIPE: Int32 = 0x1022

extension stat {
  // man page stat(2)
  public var st_mtimespec: timespec { fatalError() }
}

// man page clock_gettime(3)
public struct clockid_t: Sendable {}
public let CLOCK_MONOTONIC = clockid_t()
@discardableResult public func clock_gettime(_ __clock_id: clockid_t, _ __tp: UnsafeMutablePointer<timespec>!) -> Int32
{ fatalError() }

// man page posix_spawn(2)
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
// man page posix_spawn_file_actions_init(3)
@discardableResult public func posix_spawn_file_actions_init(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { fatalError() }
// man page posix_spawn_file_actions_addopen(3)
@discardableResult public func posix_spawn_file_actions_adddup2(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: Int32
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_addopen(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: mode_t
) -> Int32 { fatalError() }
// man page posix_spawnattr_init(3)
@discardableResult public func posix_spawnattr_init(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  fatalError()
}
@discardableResult public func posix_spawnattr_destroy(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  fatalError()
}
@discardableResult public func posix_spawnattr_setflags(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: Int16
) -> Int32 { fatalError() }
// man page posix_spawnattr_setsigmask(3)
@discardableResult public func posix_spawnattr_setsigmask(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: UnsafePointer<sigset_t>!
) -> Int32 { fatalError() }
public func posix_spawnp(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _ __argv: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ __envp: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }

// Names that only Linux has.
@available(*, unavailable, message: "only on Linux") public let CLOCK_BOOTTIME: Int32 = 0
@available(*, unavailable, message: "only on Linux") public let MSG_NOSIGNAL: Int32 = 0
@available(*, unavailable, message: "only on Linux") public let POLLRDHUP: Int32 = 0
@available(*, unavailable, message: "only on Linux") public let SOCK_CLOEXEC: Int32 = 0
@available(*, unavailable, message: "only on Linux") public let SOCK_NONBLOCK: Int32 = 0
@available(*, unavailable, message: "only on Linux") public func accept4() {}
@available(*, unavailable, message: "only on Linux") public func epoll_create1() {}
@available(*, unavailable, message: "only on Linux") public func eventfd() {}
@available(*, unavailable, message: "only on Linux") public func gettid() {}
@available(*, unavailable, message: "only on Linux") public func pipe2() {}
@available(*, unavailable, message: "only on Linux") public func prctl() {}
