#if os(Linux)
  internal import CurlShim
#endif
import Foundation

extension TransportConfiguration {
  /// Why no session can be made with a ``TransportConfiguration``.
  public struct InvalidSetting: DescribedByLibrary, Hashable, DescriptionOnly {
    /// The property of ``TransportConfiguration`` that can't be kept, such as `pinnedPublicKeys`.
    public let setting: String
    /// Which value is wrong, or which session can't keep it, and what to do. It holds no secret.
    public let reason: String

    init(_ setting: String, _ reason: String) {
      self.setting = setting
      self.reason = reason
    }

    /// The property and the reason.
    public var description: String { "TransportConfiguration.\(setting): \(reason)" }
  }

  /// Whether a session connects to a socket or a proxy on this machine, and so needs no network interface.
  package var isLocal: Bool {
    #if os(Linux)
      let proxies = CurlProxySettings(proxy, environment: ProcessInfo.processInfo.environment).addresses
    #else
      let proxies = if case .url(let url) = proxy { [url] } else { [String]() }
    #endif
    return unixSocketPath != nil || proxies.contains { ProxyAddress($0).map { URLOrigin.isLoopback($0.host) } ?? false }
  }

  /// The first setting that a connection without TLS can't keep; `nil` if there is none.
  var settingOfTLS: String? {
    if !pinnedPublicKeys.isEmpty { return "pinnedPublicKeys" }
    if clientCertificate != nil { return "clientCertificate" }
    return minimumTLSVersion == .tls1_2 ? nil : "minimumTLSVersion"
  }

  /// Refuses values that no session could use. A request would fail later with an error that says less.
  func check() throws(InvalidSetting) {
    func require(_ isValid: Bool, _ setting: String, _ reason: @autoclosure () -> String) throws(InvalidSetting) {
      if !isValid { throw InvalidSetting(setting, reason()) }
    }
    try require(connectionsPerHost > 0, "connectionsPerHost", "the value is \(connectionsPerHost); use at least 1")
    try require(
      (1...86_400).contains(idleConnectionLifetime), "idleConnectionLifetime",
      "it is \(idleConnectionLifetime) s; use 1 to 86400 s")
    do throws(TransportError) { _ = try timeouts.checked() } catch { throw InvalidSetting("timeouts", error.message) }
    if case .url(let url) = proxy {
      let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
      try require(
        ProxyAddress(url).map { schemes.contains($0.scheme) } ?? false, "proxy",
        "\(proxy) is no address of a proxy; use one such as http://proxy.example:3128")
    }
    var files: [(setting: String, path: String)] = []
    if case .file(let path) = trust { files.append(("trust", path)) }
    switch clientCertificate {
    case .pem(let certificate, let key, _): files += [certificate, key].map { ("clientCertificate", $0) }
    case .pkcs12(let path, _): files.append(("clientCertificate", path))
    case nil: break
    }
    for (setting, path) in files {
      // Reading a pipe would block a thread.
      var information = stat()
      let isFile = stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
      try require(isFile, setting, "\(path) is no file that can be read")
    }
    #if os(Linux)
      if case .pem(let certificate, let key, let password) = clientCertificate {
        let secret =
          password == nil ? "without a password; an encrypted key needs its own" : "with the password that is given"
        let faults = [
          "\(certificate) has no certificate in PEM", "\(key) has no key that can be read \(secret)",
          "the key in \(key) isn't the key of the certificate in \(certificate)",
        ]
        let fault = curlShimKeyFault(certificate, key, password ?? "")
        try require(fault == 0, "clientCertificate", faults[fault - 1])
      }
    #endif
    // `sun_path` of the system has 108 bytes, and the last one ends the path.
    let path = unixSocketPath ?? "/"
    try require(
      (1...107).contains(path.utf8.count) && !path.utf8.contains(0), "unixSocketPath", "use a path of 1 to 107 bytes")
    // libcurl would take some of these for other instructions, and look the host up.
    for (name, value) in addresses {
      let parts = name.parts(separatedBy: ":")
      try require(
        parts.count > 1 && parts[0].first.map { $0 != "-" } == true && UInt16(parts[parts.count - 1]) ?? 0 > 0,
        "addresses", "\(name) is no host with a port; use one such as h.example:443")
      try require(
        value.parts(separatedBy: ",").allSatisfy(\.isIPAddress), "addresses",
        "\(value) has a part that is no IP address")
    }
    _ = try pinnedDigests
  }

  /// The digests of the pinned keys, 32 bytes each.
  var pinnedDigests: [Data] {
    get throws(InvalidSetting) {
      try pinnedPublicKeys.map { key throws(InvalidSetting) in
        let prefix = "sha256//"
        let text = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
        guard let digest = Data(base64Encoded: text), digest.count == 32
        else { throw InvalidSetting("pinnedPublicKeys", "\(key.prefix(64)) is no SHA-256 digest in base64") }
        return digest
      }
    }
  }
}

extension TransportRequest {
  /// The parsed URL. Throws if the URL isn't an absolute `http` or `https` URL, or if a session may not send to it.
  ///
  /// - Parameter settingOfTLS: the setting that keeps the session from sending without TLS; `nil` for none. Requests to
  ///   this machine are exempt.
  func checkedTarget(settingOfTLS: String?) throws(TransportError) -> HTTPURL {
    guard let target else { throw .invalid("the URL is not an absolute http or https URL") }
    if let settingOfTLS, !target.origin.isSecure, !target.origin.isLoopback {
      throw .invalid("TransportConfiguration.\(settingOfTLS) demands TLS; use an https URL")
    }
    return target
  }
}

extension String {
  /// Whether the text is an IPv4 or IPv6 address. An IPv6 address may have brackets.
  fileprivate var isIPAddress: Bool {
    let text = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
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
  let user, password: String?

  /// - Returns: `nil` for a text that isn't the address of a host.
  init?(_ text: String) {
    guard let parts = URLComponents(string: text.contains("://") ? text : "http://" + text),
      let host = parts.host?.lowercased(), !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil,
      parts.fragment == nil, (1...65_535).contains(parts.port ?? 1080)
    else { return nil }
    scheme = parts.scheme?.lowercased() ?? "http"
    self.host = host
    port = parts.port ?? 1080
    user = parts.user
    password = parts.password
  }
}
