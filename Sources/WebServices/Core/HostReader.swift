/// Tells which host a URL goes to. That of the service's base URL, to which most go, is known beforehand.
struct HostReader: Sendable {
  /// What a URL begins with that goes to the host of the base URL: scheme, authority and a slash.
  private let prefix: String?
  private let host: String

  init(base: RequestURL.Base?) {
    prefix = try? base?.get().origin.appending("/")
    host = prefix?.hostAndPort ?? ""
  }

  /// - Parameter address: an absolute URL.
  /// - Returns: the host in lower case, with the port where one is written.
  func host(of address: String) -> String {
    if let prefix, address.hasPrefix(prefix) { return host }
    return address.hostAndPort
  }
}
