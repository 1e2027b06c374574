package import Foundation

/// The directives of a `Cache-Control` field, in a request or a response (RFC 9111, section 5.2).
///
/// Unknown directives are kept and have no effect. Every directive may have its argument with or without quotes. Text
/// that isn't a directive is left out.
package struct CacheControl: Sendable {
  /// The names in lower case, with the text behind the equals sign, without quotes; `nil` without an equals sign. In
  /// their order, repeated ones included.
  private(set) var directives: [(name: String, argument: String?)] = []

  /// Reads the value of one line.
  package init(_ value: String) {
    var cursor = FieldCursor(value)
    while cursor.next != nil {
      let name = cursor.text(until: ",=").trimmingFieldWhitespace
      let argument = cursor.argument(until: ",")
      // Text behind a quoted string belongs to no directive.
      _ = (cursor.text(until: ","), cursor.skip(","))
      if name.utf8.isHTTPToken { directives.append((name.asciiLowercased, argument)) }
    }
  }

  /// Reads all `Cache-Control` lines. A quoted string that isn't closed ends with its line, and hides no other line.
  init(_ headers: HTTPHeaders) {
    directives = headers.values(for: "Cache-Control").flatMap { CacheControl($0).directives }
  }

  /// Whether the directive is there, with or without an argument.
  package func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

  /// The argument of the first directive of the name; `nil` without a directive, or without an argument.
  package func argument(of name: String) -> String? { directives.first { $0.name == name }?.argument }

  /// The highest number of seconds: 2³¹ − 1, the greatest whole number on every system (RFC 9111, section 1.2.2).
  static let secondsLimit = 2_147_483_647

  /// Reads `delta-seconds`: digits only, clamped to `secondsLimit`; `nil` for anything else.
  package static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return min(Int(text) ?? secondsLimit, secondsLimit)
  }

  /// The seconds of the first directive of the name; `nil` when there is none, or when its argument isn't a number.
  package func time(_ name: String) -> TimeInterval? { argument(of: name).flatMap(Self.seconds).map(TimeInterval.init) }

  /// `max-age` in seconds. A value that can't be read counts as 0: an unclear response is stale (RFC 9111, section
  /// 4.2.1).
  var maxAge: TimeInterval? { contains("max-age") ? time("max-age") ?? 0 : nil }

  /// The most seconds by which a delivered response may be stale. Without an argument every stale response may be
  /// delivered (RFC 9111, section 5.2.1.2). The value is `nil` for an invalid argument or no directive, which allow no
  /// stale response.
  var maxStale: TimeInterval? {
    guard contains("max-stale"), argument(of: "max-stale") == nil else { return time("max-stale") }
    return .greatestFiniteMagnitude
  }

  /// Whether the server must confirm every use: `no-cache` without field names (RFC 9111, section 5.2.2.4).
  var isNoCache: Bool { directives.contains { $0.name == "no-cache" && ($0.argument ?? "").isEmpty } }

  /// Whether nothing may be stored. A cache that knows `must-understand` ignores `no-store` beside it, and stores a
  /// response only if it knows the status (RFC 9111, section 5.2.2.3).
  var isNoStore: Bool { contains("no-store") && !contains("must-understand") }

  /// The fields that may not be used without asking the server: `no-cache="Set-Cookie"`.
  var noCacheFields: [String] { directives.filter { $0.name == "no-cache" }.flatMap { ($0.argument ?? "").fieldNames } }
}

extension String {
  /// The members of a list of field names, such as that of `Connection`.
  var fieldNames: [String] { split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init) }
}
