import Foundation

/// The URL that a request is sent to: an absolute address, or a path on the demo's server.
enum Target: Equatable, Sendable {
  case address(URL)
  case path(String)

  /// Parses the text that the user typed; `nil` if it is neither an address nor a path.
  init?(_ text: String) {
    // A colon before the first slash ends a scheme or a host. A path may contain a colon later on.
    let beforePath = text.prefix { $0 != "/" && $0 != "?" }
    guard beforePath.contains(":") else {
      guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
      self = .path(text)
      return
    }
    guard let url = Self.address(text) else { return nil }
    self = .address(url)
  }

  /// Parses an absolute `http` or `https` URL; `nil` if its host is missing or its port is out of range.
  static func address(_ text: String) -> URL? {
    guard let components = URLComponents(string: text), let url = components.url,
      ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
      (1...65_535).contains(components.port ?? 80)
    else { return nil }
    return url
  }

  /// The text to use as a request's `path`.
  var text: String {
    switch self {
    case .address(let url): url.absoluteString
    case .path(let path): path
    }
  }

  /// The scheme, host and port of an address; `nil` for a path.
  var origin: URL? {
    guard case .address(let url) = self, let whole = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return nil
    }
    var origin = URLComponents()
    (origin.scheme, origin.host, origin.port) = (whole.scheme, whole.host, whole.port)
    return origin.url
  }

  /// The path without percent encoding, as a `MockURLSession` matches it.
  var path: String {
    let path =
      switch self {
      case .address(let url): url.path
      case .path(let path): String(path.prefix { $0 != "?" }).removingPercentEncoding ?? path
      }
    return path.hasPrefix("/") ? path : "/" + path
  }
}
