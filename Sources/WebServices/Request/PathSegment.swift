/// Makes one segment of a path out of a parameter.
enum PathSegment {
  /// Stands for a parameter that no segment can be made of. `RequestURL` refuses a path that has this byte.
  static let refusal: UInt8 = 0

  /// The text with all but unreserved characters percent-encoded, or the refusal.
  ///
  /// `a/../b` is refused too, though a `/` that is percent-encoded separates nothing: some servers decode a path before
  /// they resolve its dots.
  static func encoded(_ text: String) -> String {
    let pieces = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    let climbs = pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    return text.isEmpty || climbs
      ? String(decoding: [refusal], as: UTF8.self) : text.percentEncoded(.everythingReserved)
  }
}

extension DefaultStringInterpolation {
  /// Puts a parameter into a path as one segment or a part of one: `"users/\(segment: name)/posts"`.
  ///
  /// The server receives the parameter as it is. Everything but letters, digits, `-`, `.`, `_` and `~` is percent-encoded
  /// once, also a `/`, a `?` and a `%`. A parameter that could lead to another path ends the request with an error of kind
  /// `.badURL`: an empty one, `.`, `..`, or one that has `.` or `..` between slashes.
  public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
    appendLiteral(PathSegment.encoded(value.description))
  }
}
