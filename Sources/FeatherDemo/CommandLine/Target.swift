import Foundation

/// The URL that a request is sent to: an absolute address, or a path on the demo's server.
enum Target: Equatable, Sendable {
  case address(URL)
  case path(String)

  /// Parses the text that the user typed; `nil` if it is neither an address nor a path.
  init?(_ text: String) {
    // A colon before the first slash ends a scheme or a host. A path may contain a colon later on.
    guard text.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") else {
      guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
      self = .path(text)
      return
    }
    guard let components = URLComponents(string: text), let url = components.url,
      ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
      (1...65_535).contains(components.port ?? 80)
    else { return nil }
    self = .address(url)
  }

  /// The text to use as a request's `path`.
  var text: String {
    switch self {
    case .address(let url): url.absoluteString
    case .path(let path): path
    }
  }
}
