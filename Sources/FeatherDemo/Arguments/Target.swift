import Foundation

/// What a request is sent to: an address of its own, or a path at the server that the demo talks to.
enum Target: Equatable, Sendable {
  case address(URL)
  case path(String)

  /// Reads what was typed; `nil` where it can't be asked.
  init?(_ text: String) {
    let beforePath = text.prefix { $0 != "/" && $0 != "?" }
    guard beforePath.contains(":") else {
      guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
      self = .path(text)
      return
    }
    guard let url = Self.address(text) else { return nil }
    self = .address(url)
  }

  /// An absolute `http` or `https` URL with a host and a port that exists.
  static func address(_ text: String) -> URL? {
    guard let components = URLComponents(string: text), let url = components.url,
      ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
      (1...65_535).contains(components.port ?? 80)
    else { return nil }
    return url
  }

  /// As a request's `path`.
  var text: String {
    switch self {
    case .address(let url): url.absoluteString
    case .path(let path): path
    }
  }

  /// The server of an address, without what follows it.
  var origin: URL? {
    guard case .address(let url) = self, let whole = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return nil
    }
    var origin = URLComponents()
    (origin.scheme, origin.host, origin.port) = (whole.scheme, whole.host, whole.port)
    return origin.url
  }

  /// The path alone, percent encoding removed, as a session sees it.
  var path: String {
    let path =
      switch self {
      case .address(let url): url.path
      case .path(let path): String(path.prefix { $0 != "?" }).removingPercentEncoding ?? path
      }
    return path.hasPrefix("/") ? path : "/" + path
  }
}
