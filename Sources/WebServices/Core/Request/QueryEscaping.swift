public import Foundation

extension QueryEncoder {
  /// Says which characters of a query item's name and value are percent-encoded.
  ///
  /// Both choices encode `&`, `=`, `#`, `+`, `%`, control characters and everything outside of ASCII: an item can't
  /// become two items or another item.
  public enum Escaping: Hashable, Sendable {
    /// Percent-encodes everything but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3), which every server
    /// reads correctly. The default.
    case strict
    /// As forms have it: a space is `+`, and letters, digits, `*`, `-`, `.` and `_` stay raw
    /// (`application/x-www-form-urlencoded`, WHATWG URL, section 5.2).
    case form

    /// The items as a query, without `?`: `a=1&b=c%20d`. An item without a value has no `=`.
    public func query(of items: [URLQueryItem]) -> String { items.map(encoded).joined(separator: "&") }

    func encoded(_ item: URLQueryItem) -> String {
      let encoding: PercentEncoding = self == .form ? .form : .everythingReserved
      let name = item.name.percentEncoded(encoding)
      guard let value = item.value else { return name }
      return "\(name)=\(value.percentEncoded(encoding))"
    }
  }
}
