/// Finds and removes the segments `.` and `..` of a path, escaped or not: `%2E` means a dot (RFC 3986, section 2.3).
package enum DotSegments {
  /// The path without dot segments (RFC 3986, section 5.2.4); it begins with a slash.
  ///
  /// - Parameter path: an escaped path. In raw text a slash and a combining mark make one `Character`, which isn't a
  ///   slash.
  static func removed(from path: String) -> String {
    var output: [Substring.UTF8View] = []
    var endsWithSlash = false
    for segment in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let dots = dots(in: segment)
      endsWithSlash = dots > 0
      if dots == 0 { output.append(segment) } else if dots == 2 { _ = output.popLast() }
    }
    if endsWithSlash { output.append("".utf8[...]) }
    return "/" + output.map { String(Substring($0)) }.joined(separator: "/")
  }

  /// Whether a segment of the path is a dot segment.
  package static func contains(_ path: Substring) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/")).contains { dots(in: $0) > 0 }
  }

  /// The number of dots of a dot segment, 1 or 2; 0 for another segment.
  private static func dots(in segment: Substring.UTF8View) -> Int {
    var (rest, count) = (segment, 0)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.popFirst() == UInt8(ascii: "2"), rest.popFirst()?.asciiLowercased == UInt8(ascii: "e") else {
          return 0
        }
      } else if byte != UInt8(ascii: ".") {
        return 0
      }
      count += 1
    }
    return count <= 2 ? count : 0
  }
}
