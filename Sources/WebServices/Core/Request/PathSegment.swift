/// Encodes a parameter as one segment of a path, or as several.
enum PathSegment {
  /// Stands for a parameter that no segment can be made of, since an interpolation can't throw. `RequestURL` refuses a
  /// path that has this byte.
  static let invalid: UInt8 = 0

  /// The text with all but unreserved characters percent-encoded, or the byte `invalid`.
  ///
  /// `a/../b` is refused too, though a `/` that is percent-encoded separates nothing: some servers decode a path before
  /// they resolve its dots.
  static func encoded(_ text: String) -> String {
    let pieces = text.utf8.split(omittingEmptySubsequences: false) {
      // WHATWG URL treats a backslash as a slash.
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    let climbs = pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    return text.isEmpty || climbs ? String(Unicode.Scalar(invalid)) : text.percentEncoded(.everythingReserved)
  }

  /// Encodes each segment and keeps the slashes between segments, or returns the byte `invalid`. The path may end with
  /// one slash.
  static func encodedPath(_ text: String) -> String {
    // Bytes, because a slash and a combining mark make one `Character`.
    let (bytes, slash) = (text.utf8, UInt8(ascii: "/"))
    let isFolder = bytes.count > 1 && bytes.last == slash
    let segments = bytes.dropLast(isFolder ? 1 : 0).split(separator: slash, omittingEmptySubsequences: false)
    return segments.map { encoded(String(Substring($0))) }.joined(separator: "/") + (isFolder ? "/" : "")
  }
}

extension DefaultStringInterpolation {
  /// Inserts a parameter into a path as one segment or a part of one: `"users/\(segment: name)/posts"`.
  ///
  /// The server receives the parameter unchanged. Everything but letters, digits, `-`, `.`, `_` and `~` is
  /// percent-encoded once, also a `/`, a `?` and a `%`. A parameter that could lead to another path fails the request
  /// with an error of the kind `.badURL`. Such parameters are empty, `.` or `..`, or have `.` or `..` between slashes.
  public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
    appendLiteral(PathSegment.encoded(value.description))
  }

  /// Puts a parameter into a path as one or more segments, whose slashes separate them: `"files/\(segments: key)"`.
  ///
  /// Each segment is encoded and checked as `segment:` does. An empty segment ends the request with an error of kind
  /// `.badURL` too, but for one slash at the end.
  public mutating func appendInterpolation(segments value: some CustomStringConvertible) {
    appendLiteral(PathSegment.encodedPath(value.description))
  }
}
