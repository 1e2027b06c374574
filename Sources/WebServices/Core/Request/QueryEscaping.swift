public import Foundation

extension QueryEncoder {
  /// Says which characters of a query item's name and value are percent-encoded.
  ///
  /// Every choice encodes `&`, `=`, `#`, `+`, `%`, spaces, control characters and everything outside of ASCII: an item
  /// can't become two items or another item.
  public struct Escaping: Hashable, Sendable {
    private let encoding: PercentEncoding

    private init(_ encoding: PercentEncoding) {
      self.encoding = encoding
    }

    /// Percent-encodes everything but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3), which every server
    /// reads correctly. The default.
    public static let strict = QueryEncoder.Escaping(.everythingReserved)

    /// As forms have it: a space is `+`, and letters, digits, `*`, `-`, `.` and `_` stay raw
    /// (`application/x-www-form-urlencoded`, WHATWG URL, section 5.2).
    public static let form = QueryEncoder.Escaping(.form)

    /// The characters that RFC 3986 allows in a query (section 3.4), without separators of items and characters with
    /// another meaning in a form.
    private static let optional: ByteSet = "!$'()*,;:@/?-._~"

    /// Leaves more characters raw: `.strict.leavingRaw(",:")` for a server that takes no `%2C`.
    ///
    /// You can choose from the ASCII punctuation `! $ ' ( ) * , ; : @ / ? - . _ ~`. All other characters are
    /// percent-encoded as before. Brackets are too: RFC 3986 has them in no query, and Foundation would encode the whole
    /// URL once more because of them.
    public func leavingRaw(_ characters: String) -> QueryEncoder.Escaping {
      QueryEncoder.Escaping(encoding.allowing(ByteSet(characters.utf8.filter(Self.optional.contains))))
    }

    /// The items as a query, without `?`: `a=1&b=c%20d`. An item without a value has no `=`.
    public func query(of items: [URLQueryItem]) -> String {
      items.map(encoded).joined(separator: "&")
    }

    package func encoded(_ item: URLQueryItem) -> String {
      let name = item.name.percentEncoded(encoding)
      guard let value = item.value else { return name }
      return "\(name)=\(value.percentEncoded(encoding))"
    }
  }
}

private enum QueryEscapingKey: LibraryOptionKey {
  static var defaultValue: QueryEncoder.Escaping? { nil }
}

extension RequestOptions {
  /// The escaping of query items; `nil` uses the configuration's.
  public var queryEscaping: QueryEncoder.Escaping? {
    get { self[QueryEscapingKey.self] }
    set { self[QueryEscapingKey.self] = newValue }
  }
}
