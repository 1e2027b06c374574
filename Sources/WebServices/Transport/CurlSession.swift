#if os(Linux)
  public import Foundation
  public import FoundationNetworking

  /// The default session on Linux, which drives the libcurl that Foundation has loaded.
  ///
  /// The session follows no redirect, answers no challenge, keeps no cookie and sends nothing twice, because the engine
  /// decides about these. You may call its methods from any thread: none of them waits for the network. From the first
  /// request on the session has one thread, which ends when the session is invalidated, or when it is released and no
  /// request is in progress. The thread and its connections also end after
  /// ``TransportConfiguration/idleConnectionLifetime`` without a request, until the next one.
  ///
  /// The article <doc:RunningOnLinux> says what differs from `URLSession`.
  public final class CurlSession: URLSessionProtocol, Sendable {
    /// The configuration that the session was made with; later changes of a configuration don't reach it.
    let configuration: TransportConfiguration
    /// The setting that demands TLS. Finding it for each request would copy the configuration.
    let settingOfTLS: String?
    let driver: CurlDriver

    /// Creates a session; nothing is opened before the first request.
    ///
    /// - Throws: a ``TransportConfiguration/InvalidSetting`` for a setting that can't be used, or an error whose
    ///   description says why there is no usable libcurl.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) throws {
      let library = try CurlLibrary.found.get()
      try configuration.check()
      self.init(configuration, library: library)
    }

    /// - Parameter library: shows that libcurl was loaded. Without it a call of libcurl would crash.
    init(
      _ configuration: TransportConfiguration, library: CurlLibrary,
      environment: [String: String] = ProcessInfo.processInfo.environment, cacheLifetime: Int = 60
    ) {
      var configuration = configuration
      configuration.isHTTP2Enabled = configuration.isHTTP2Enabled && library.hasHTTP2
      self.configuration = configuration
      settingOfTLS = configuration.settingOfTLS
      let proxy = CurlProxySettings(configuration.proxy, environment: environment)
      let trust = CurlTrust(configuration.trust, environment: environment, certificates: library.certificates)
      driver = CurlDriver { [configuration] driver, poller in
        CurlLoop(
          configuration, hasPrerequest: library.hasPrerequest, proxy: proxy, trust: trust, cacheLifetime: cacheLifetime,
          driver: driver, poller: poller)
      }
    }

    deinit { driver.endWithLastTask() }

    /// Prepares one transfer; nothing is sent before the task is resumed. The completion is called once, on the
    /// session's thread or on a dispatch queue, possibly before `resume()` has returned.
    public func transferTask(
      with request: TransportRequest,
      completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
    ) -> any URLSessionTaskProtocol { CurlTransfer(request, session: self, completion: completion) }

    /// Prepares a `URLRequest`; nothing is sent before the task is resumed. The handler is called once, on a
    /// concurrent dispatch queue. An error is a `URLError` with the ``TransportError`` as its underlying error.
    public func dataTask(
      with request: URLRequest,
      completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> some URLSessionTaskProtocol {
      foundationTask(with: request, completionHandler: completionHandler) {
        CurlTransfer($0, session: self, completion: $1)
      }
    }

    /// The client certificate, Unix socket and addresses of the configuration, for a cache.
    public var cacheScope: String? { configuration.cacheScope }

    /// Ends every task as cancelled, and the session's thread. Later requests fail with `.invalidated`. To let the
    /// tasks end first, release the session.
    public func invalidateAndCancel() { driver.invalidate() }
  }

  /// The proxies of a session, read when the session is made. libcurl would read the environment later, while another
  /// thread of the program may change the environment.
  struct CurlProxySettings: Equatable, Sendable, DescriptionOnly {
    /// The proxy for `http`; empty for none.
    var plain = ""
    /// The proxy for `https`; empty for none.
    var secure = ""
    /// Hosts that are reached without a proxy, separated by commas.
    var exceptions = ""

    /// The proxies in use.
    var addresses: [String] { [plain, secure].filter { !$0.isEmpty } }

    /// Of the usual variables, the lower-case name wins.
    init(_ proxy: TransportConfiguration.Proxy, environment: [String: String]) {
      func value(_ names: String...) -> String { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "" }
      switch proxy {
      case .none: break
      case .url(let url): (plain, secure) = (url, url)
      case .system:
        // A client can set `HTTP_PROXY` of a CGI program with the header field `Proxy` ("httpoxy").
        let isGateway = environment["REQUEST_METHOD"] != nil
        plain = value("http_proxy", isGateway ? "" : "HTTP_PROXY", "all_proxy", "ALL_PROXY")
        secure = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = value("no_proxy", "NO_PROXY")
      }
    }

    /// The addresses without user info.
    var description: String {
      "http: \(TransportMessage.address(plain)), https: \(TransportMessage.address(secure)), not for: \(exceptions)"
    }
  }

  /// The file and the directory with the trusted certificates, which replace both defaults of libcurl.
  struct CurlTrust: Equatable, Sendable {
    var file: String?
    var directory: String?

    /// - Parameter certificates: trusted if nothing else is named.
    /// - Returns: `nil` if libcurl's defaults are trusted.
    init?(_ trust: TransportConfiguration.Trust, environment: [String: String], certificates: String? = nil) {
      switch trust {
      case .file(let path): file = path
      case .system:
        file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        directory = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        if file == nil, directory == nil { file = certificates }
        if file == nil, directory == nil { return nil }
      }
    }
  }
#endif
