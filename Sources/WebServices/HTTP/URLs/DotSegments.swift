import Foundation

/// Finds and removes the segments `.` and `..` of a path, escaped or not: `%2E` means a dot (RFC 3986, section 2.3).
package enum DotSegments {
  /// The path without dot segments (RFC 3986, section 5.2.4); it begins with a slash.
  ///
  /// - Parameter path: an escaped path. In raw text a slash and a combining mark make one `Character`, which isn't a
  ///   slash.
  static func removed(from path: String) -> String {
    guard contains(path[...]) else { return path }
    var output: [Substring] = []
    var endsWithSlash = false
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      endsWithSlash = true
      switch plain(segment.utf8) {
      case ".": break
      case "..": _ = output.popLast()
      default:
        output.append(segment)
        endsWithSlash = false
      }
    }
    return "/" + output.joined(separator: "/") + (endsWithSlash && !output.isEmpty ? "/" : "")
  }

  /// Whether a segment of the path is a dot segment.
  package static func contains(_ path: Substring) -> Bool {
    var rest = path.utf8[...]
    while true {
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      if let plain = plain(segment), plain == "." || plain == ".." { return true }
      guard segment.endIndex < rest.endIndex else { return false }
      rest = rest[segment.endIndex...].dropFirst()
    }
  }

  /// The segment with its escaped dots decoded; `nil` for a segment that can't be a dot segment. The longest is
  /// `%2e%2e`.
  private static func plain(_ segment: Substring.UTF8View) -> String? {
    guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%"), segment.count <= 6
    else { return nil }
    return String(decoding: segment, as: UTF8.self).lowercased().replacingOccurrences(of: "%2e", with: ".")
  }
}
