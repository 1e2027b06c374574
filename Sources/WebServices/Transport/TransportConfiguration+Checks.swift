import Foundation

/// Checks that are the same for every session. Unusable values are refused when the session is made, because a request
/// would fail later with an error that says less.
extension TransportConfiguration {
  /// The first setting that a connection without TLS can't keep; `nil` if there is none.
  var settingOfTLS: String? {
    if !pinnedPublicKeys.isEmpty { return "pinnedPublicKeys" }
    if clientCertificate != nil { return "clientCertificate" }
    return minimumTLSVersion == .tls1_2 ? nil : "minimumTLSVersion"
  }

  /// Refuses values that no session could use.
  func check() throws(TransportConfigurationError) {
    try checkLimits()
    try checkProxy()
    try checkFiles()
    try checkAddresses()
    _ = try pinnedDigests
  }

  private func checkLimits() throws(TransportConfigurationError) {
    for (name, limit) in [("connectionsPerHost", connectionsPerHost), ("connections", connections)] where limit < 1 {
      throw TransportConfigurationError(name, "the value is \(limit); use at least 1")
    }
    guard (1...86_400).contains(idleConnectionLifetime) else {
      throw TransportConfigurationError(
        "idleConnectionLifetime", "it is \(idleConnectionLifetime) s; use 1 to 86400 s")
    }
    do throws(TransportError) { _ = try timeouts.checked() } catch {
      throw TransportConfigurationError("timeouts", error.message)
    }
  }

  private func checkProxy() throws(TransportConfigurationError) {
    guard case .url(let url) = proxy else { return }
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    guard let address = ProxyAddress(url), schemes.contains(address.scheme) else {
      throw TransportConfigurationError(
        "proxy", "\(proxy) is no address of a proxy; use one such as http://proxy.example:3128")
    }
  }

  private func checkFiles() throws(TransportConfigurationError) {
    func check(_ path: String, _ setting: String) throws(TransportConfigurationError) {
      // Reading a pipe would block a thread.
      var information = stat()
      guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
        throw TransportConfigurationError(setting, "\(path) is no file that can be read")
      }
    }
    if case .file(let path) = trust { try check(path, "trust") }
    switch clientCertificate {
    case .pem(let certificate, let key, let password):
      try check(certificate, "clientCertificate")
      try check(key, "clientCertificate")
      guard password != nil || !Self.isEncrypted(key) else {
        throw TransportConfigurationError("clientCertificate", "the key in \(key) is encrypted; set its password")
      }
    case .pkcs12(let path, _): try check(path, "clientCertificate")
    case nil: break
    }
  }

  /// Whether a file in PEM has an encrypted key (RFC 7468, section 11, or the older form of RFC 1421).
  private static func isEncrypted(_ path: String) -> Bool {
    let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
  }

  private func checkAddresses() throws(TransportConfigurationError) {
    // `sun_path` of the system has 108 bytes, and the last one ends the path.
    if let path = unixSocketPath, path.isEmpty || path.utf8.count > 107 || path.utf8.contains(0) {
      throw TransportConfigurationError("unixSocketPath", "use a path of 1 to 107 bytes")
    }
    for (name, value) in addresses {
      let colon = name.lastIndex(of: ":")
      let port = colon.flatMap { UInt16(name[name.index(after: $0)...]) }
      guard let colon, colon > name.startIndex, port ?? 0 > 0 else {
        throw TransportConfigurationError("addresses", "\(name) is no host with a port; use one such as h.example:443")
      }
      guard !value.isEmpty, value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(\.isIPAddress)
      else { throw TransportConfigurationError("addresses", "\(value) has a part that is no IP address") }
    }
  }

  /// The digests of the pinned keys, 32 bytes each.
  var pinnedDigests: [Data] {
    get throws(TransportConfigurationError) {
      var digests: [Data] = []
      for key in pinnedPublicKeys {
        let prefix = "sha256//"
        let text = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
        guard let digest = Data(base64Encoded: text), digest.count == 32 else {
          throw TransportConfigurationError("pinnedPublicKeys", "\(key.prefix(64)) is no SHA-256 digest in base64")
        }
        digests.append(digest)
      }
      return digests
    }
  }
}

extension TransportRequest {
  /// The parsed URL. Throws if the URL isn't one that a session may send to.
  ///
  /// - Parameter settingOfTLS: the setting that keeps the session from sending without TLS; `nil` for none. Requests to
  ///   this machine are exempt.
  func checkedTarget(settingOfTLS: String?) throws(TransportError) -> HTTPURL {
    let target = try checkedTarget()
    if let settingOfTLS, !target.origin.isSecure, !target.origin.isLoopback {
      throw .invalid("TransportConfiguration.\(settingOfTLS) demands TLS; use an https URL")
    }
    return target
  }
}

extension Substring {
  /// Whether the text is an IPv4 or IPv6 address. An IPv6 address may have brackets.
  fileprivate var isIPAddress: Bool {
    let text = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    var address = in6_addr()
    return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
  }
}

/// The parts of a proxy's address. libcurl takes the whole text, and Foundation takes host and port.
struct ProxyAddress {
  /// The scheme in lower case; `http` if the address has none.
  let scheme: String
  let host: String
  /// The port; 1080 if the address has none, which is libcurl's default.
  let port: Int
  let user: String?
  let password: String?

  /// - Returns: `nil` for a text that isn't the address of a host.
  init?(_ text: String) {
    guard let url = try? URLReference(text.contains("://") ? text : "http://" + text), let authority = url.authority,
      url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil,
      let origin = try? URLOrigin(authority, isSecure: false)
    else { return nil }
    scheme = url.scheme?.lowercased() ?? "http"
    host = origin.host
    // `URLOrigin` gives a missing port as 80.
    port = authority.hasSuffix(":\(origin.port)") ? origin.port : 1080
    let parts = authority.lastIndex(of: "@").map { at in
      authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    func decoded(_ index: Int) -> String? {
      guard let parts, index < parts.count else { return nil }
      return parts[index].removingPercentEncoding ?? String(parts[index])
    }
    user = decoded(0)
    password = decoded(1)
  }
}
