import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The settings of a `FoundationSession`, made of its configuration. The settings that Foundation mishandles, or that
/// crash it, are left out. `DelegatedURLSession` calls `makeSession`.
struct FoundationSettings: Sendable {
  /// Headers for every request that has none of their names.
  let headers: HTTPHeaders
  /// The timeouts of requests that set none.
  let timeouts: TransportRequest.Timeouts
  let connectionsPerHost: Int
  /// The setting that only TLS keeps; `nil` for none.
  private(set) var settingOfTLS: String?
  /// Why no request can be sent; `nil` unless the configuration is that of a background session.
  let refusal: TransportError?
  private let configuration: URLSessionConfiguration
  /// Answers the challenges of servers and proxies.
  private(set) var challenges = FoundationChallenges()

  init(_ original: URLSessionConfiguration) {
    self.init(original, timeouts: nil)
  }

  /// - Throws: the first setting that Foundation can't keep on this system.
  init(_ transport: TransportConfiguration) throws(TransportConfigurationError) {
    try transport.check()
    try transport.check(for: Platform.foundation)
    let configuration = URLSessionConfiguration.webServices
    configuration.httpMaximumConnectionsPerHost = transport.connectionsPerHost
    switch transport.proxy {
    case .system: break
    case .none: configuration.connectionProxyDictionary = [:]
    case .url(let url): configuration.connectionProxyDictionary = ProxyAddress(url)?.foundation ?? [:]
    }
    let challenges = try FoundationChallenges(transport)
    #if canImport(Security)
      try challenges.check()
      configuration.tlsMinimumSupportedProtocolVersion = transport.minimumTLSVersion == .tls1_3 ? .TLSv13 : .TLSv12
    #endif
    self.init(configuration, timeouts: transport.timeouts)
    settingOfTLS = transport.settingOfTLS
    self.challenges = challenges
  }

  /// - Parameter ownTimeouts: replaces the configuration's timeouts, which have none for connecting.
  private init(_ original: URLSessionConfiguration, timeouts ownTimeouts: TransportRequest.Timeouts?) {
    // A copy, because the caller may change the object later.
    let configuration = original.copy() as? URLSessionConfiguration ?? .webServices
    headers = HTTPHeaders(configuration.httpAdditionalHeaders ?? [:])
    timeouts =
      ownTimeouts
      ?? TransportRequest.Timeouts(
        idle: configuration.timeoutIntervalForRequest.usableTimeout,
        whole: configuration.timeoutIntervalForResource.usableTimeout)
    refusal = BackgroundSession.refusal(identifier: configuration.identifier)
    connectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
    // Foundation on Linux traps for a name or a value that isn't a string. `FoundationRequestPlan` adds the fields.
    configuration.httpAdditionalHeaders = nil
    // `FoundationTimers` keeps the timeouts to the millisecond.
    configuration.timeoutIntervalForRequest = TransportRequest.Timeouts.longest
    configuration.timeoutIntervalForResource = TransportRequest.Timeouts.longest
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    // With a cache Foundation on Linux crashes if a task is cancelled while it completes.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    // On Linux only this switches cookies off: `httpShouldHandleCookies` of a request is ignored.
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    self.configuration = configuration
  }

  func makeSession(delegate: DelegatedURLSession, queue: OperationQueue) -> URLSession {
    URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }
}

extension TransportConfiguration {
  /// Refuses the settings that this Foundation can't keep.
  func check(for foundation: FoundationKind) throws(TransportConfigurationError) {
    let standard = TransportConfiguration()
    let isKept = [
      ("connections", connections == standard.connections),
      ("idleConnectionLifetime", idleConnectionLifetime == standard.idleConnectionLifetime),
      ("isHTTP2Enabled", isHTTP2Enabled), ("isKeepAliveEnabled", isKeepAliveEnabled),
      ("unixSocketPath", unixSocketPath == nil), ("addresses", addresses.isEmpty),
    ]
    for (setting, isKept) in isKept where !isKept {
      throw TransportConfigurationError(
        setting, "FoundationSession supports only the default; use CurlSession for other values")
    }
    switch foundation {
    case .apple:
      if case .url(let url) = proxy, ProxyAddress(url)?.scheme != "http" {
        throw TransportConfigurationError("proxy", "FoundationSession supports only addresses with the scheme http")
      }
      if case .pem = clientCertificate {
        throw TransportConfigurationError("clientCertificate", "FoundationSession takes a file in PKCS #12 alone")
      }
    case .openSource:
      let isKeptOnLinux = [
        ("proxy", proxy == .system), ("trust", trust == .system), ("clientCertificate", clientCertificate == nil),
        ("pinnedPublicKeys", pinnedPublicKeys.isEmpty), ("minimumTLSVersion", minimumTLSVersion == .tls1_2),
      ]
      for (setting, isKept) in isKeptOnLinux where !isKept {
        throw TransportConfigurationError(setting, "FoundationSession doesn't support this on Linux; use CurlSession")
      }
    }
  }
}

extension ProxyAddress {
  /// The address for http and https URLs, in the form of `connectionProxyDictionary`. Its user and password are given
  /// when the proxy asks for them.
  fileprivate var foundation: [AnyHashable: Any] {
    ["HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port, "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port]
  }
}

extension HTTPHeaders {
  /// Takes over the fields whose names and values are strings.
  fileprivate init(_ fields: [AnyHashable: Any]) {
    self.init()
    for case (let name as String, let value as String) in fields { add(name: name, value: value) }
  }
}

extension TimeInterval {
  fileprivate var usableTimeout: TimeInterval? { isFinite && self > 0 ? self : nil }
}
