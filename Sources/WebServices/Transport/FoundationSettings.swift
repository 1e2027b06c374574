import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The settings of a `FoundationSession`, made of its configuration. The settings that Foundation mishandles, or that
/// crash it, are left out.
struct FoundationSettings: DescriptionOnly, Sendable {
  /// Headers for every request that has none of their names.
  private var headers = HTTPHeaders()
  /// The timeouts of requests that set none.
  private let timeouts: TransportRequest.Timeouts
  /// The setting that only TLS keeps; `nil` for none.
  private var settingOfTLS: String?
  /// The text that distinguishes the session for a cache; `nil` for none.
  private(set) var cacheScope: String?
  /// Why no request can be sent; `nil` if requests can be sent.
  private let refusal: TransportError?
  private let configuration: URLSessionConfiguration
  #if canImport(Security)
    /// Answers the challenges of servers and proxies; `nil` if the system does.
    private(set) var challenges: FoundationChallenges?
  #endif

  /// - Parameters:
  ///   - timeouts: replaces the configuration's timeouts, which have none for connecting.
  ///   - refusal: fails every request.
  init(_ given: URLSessionConfiguration, timeouts: TransportRequest.Timeouts? = nil, refusal: TransportError? = nil) {
    // A copy, because the caller may change the object later.
    let configuration = given.copy() as? URLSessionConfiguration ?? .webServices
    for case (let name as String, let value as String) in configuration.httpAdditionalHeaders ?? [:] {
      headers.add(name: name, value: value)
    }
    self.timeouts = timeouts ?? TransportRequest.Timeouts(idle: configuration.timeoutIntervalForRequest.usableTimeout)
    self.refusal = refusal ?? TransportError.backgroundSession(configuration.identifier)
    // Foundation on Linux traps for a name or a value that isn't a string. `prepared(_:)` adds the fields.
    configuration.httpAdditionalHeaders = nil
    // `FoundationTransfer` keeps the timeouts to the millisecond.
    configuration.timeoutIntervalForRequest = TransportRequest.Timeouts.longest
    configuration.timeoutIntervalForResource = TransportRequest.Timeouts.longest
    configuration.httpMaximumConnectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
    configuration.keepNothing()
    configuration.urlCredentialStorage = nil
    self.configuration = configuration
  }

  /// - Throws: the first setting that Foundation can't keep on this system.
  init(_ transport: TransportConfiguration) throws(TransportConfiguration.InvalidSetting) {
    try transport.check()
    try transport.check(for: Platform.foundation)
    let configuration = URLSessionConfiguration.webServices
    configuration.httpMaximumConnectionsPerHost = transport.connectionsPerHost
    #if canImport(Security)
      switch transport.proxy {
      case .system: break
      case .none: configuration.connectionProxyDictionary = [:]
      case .url(let url): configuration.connectionProxyDictionary = ProxyAddress(url)?.foundation ?? [:]
      }
      configuration.tlsMinimumSupportedProtocolVersion = transport.minimumTLSVersion == .tls1_3 ? .TLSv13 : .TLSv12
    #endif
    self.init(configuration, timeouts: transport.timeouts)
    settingOfTLS = transport.settingOfTLS
    cacheScope = transport.cacheScope
    #if canImport(Security)
      challenges = try FoundationChallenges(transport)
    #endif
  }

  func makeSession(delegate: FoundationDelegate) -> URLSession {
    // A serial dispatch queue always gets a thread. The global queues, which Foundation would use, have few.
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.underlyingQueue = delegate.events
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// The request with the settings of the session. Throws for a value that Foundation would change or drop.
  func prepared(
    _ original: TransportRequest, for foundation: FoundationKind = Platform.foundation
  ) throws(TransportError) -> TransportRequest {
    if let refusal { throw refusal }
    var request = original
    request.timeouts = try original.timeouts.checked(defaults: timeouts)
    // The text has no user info, which Foundation would send.
    guard let url = URL(string: try original.checkedTarget(settingOfTLS: settingOfTLS).text), url.host?.isEmpty == false
    else { throw .invalid("Foundation can't read the URL") }
    request.url = url
    for field in headers where original.headers[field.name] == nil {
      request.headers.add(name: field.name, value: field.value)
    }
    try request.checkHead()
    // On Linux, Foundation reports success for compressed content that is cut off. On both systems, a server that
    // compresses may ignore a range.
    if request.headers["Accept-Encoding"] == nil, foundation == .openSource || request.headers["Range"] != nil {
      request.headers["Accept-Encoding"] = "identity"
    }
    let hasBody = if case .none = request.body { false } else { true }
    // On Linux, libcurl would send a request again without `Expect` after a 417. A blank field leaves the field out.
    if foundation == .openSource { request.headers["Expect"] = hasBody ? " " : nil }
    guard hasBody else { return request }
    guard request.method != .get, request.method != .head
    else { throw .invalid("Foundation sends no body with \(request.method)") }
    // Without a type, Foundation would declare the body of a POST as a form.
    if request.headers["Content-Type"] == nil { request.headers["Content-Type"] = "application/octet-stream" }
    return request
  }

  /// The headers and the timeouts. The configuration may hold passwords.
  var description: String { "headers \(headers), timeouts \(timeouts)" }
}

extension TransportConfiguration {
  /// Refuses the settings that this Foundation can't keep.
  func check(for foundation: FoundationKind) throws(InvalidSetting) {
    let standard = TransportConfiguration()
    var isKept = [
      ("idleConnectionLifetime", idleConnectionLifetime == standard.idleConnectionLifetime),
      ("isHTTP2Enabled", isHTTP2Enabled), ("unixSocketPath", unixSocketPath == nil), ("addresses", addresses.isEmpty),
    ]
    switch foundation {
    case .apple:
      if case .url(let url) = proxy { isKept.append(("proxy", ProxyAddress(url)?.scheme == "http")) }
      if case .pem = clientCertificate { isKept.append(("clientCertificate", false)) }
    case .openSource:
      isKept += [
        ("connectionsPerHost", connectionsPerHost == standard.connectionsPerHost), ("proxy", proxy == .system),
        ("trust", trust == .system), ("clientCertificate", clientCertificate == nil),
        ("pinnedPublicKeys", pinnedPublicKeys.isEmpty), ("minimumTLSVersion", minimumTLSVersion == .tls1_2),
      ]
    }
    for (setting, isKept) in isKept where !isKept {
      throw InvalidSetting(setting, "FoundationSession doesn't support this value on this system")
    }
  }
}

#if canImport(Security)
  extension ProxyAddress {
    /// The address for http and https URLs of other machines, in the form of `connectionProxyDictionary`. Its user and
    /// password are given when the proxy asks for them.
    fileprivate var foundation: [AnyHashable: Any] {
      [
        "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port, "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        "ExceptionsList": ["localhost", "*.localhost", "127.*", "::1"],
      ]
    }
  }
#endif
