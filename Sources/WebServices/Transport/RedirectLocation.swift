import Foundation

/// Makes the next URL of a `Location` field: a reference that may be relative (RFC 3986, section 5.2), and may hold what
/// should have been escaped. Foundation's own resolving differs from system to system.
enum RedirectLocation {
  /// - Returns: an absolute `http` or `https` URL without fragment and user info, or `nil` where there is none.
  static func resolve(_ location: String, against base: URL) -> URL? {
    guard !location.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let scheme = base.scheme,
      let base = Reference(base.absoluteString)
    else { return nil }
    let trimmed = location.trimmingCharacters(in: .whitespaces)
    guard let reference = Reference(trimmed) else { return nil }
    let target = reference.resolved(against: base, baseScheme: scheme)
    guard let targetScheme = target.scheme?.lowercased(), targetScheme == "http" || targetScheme == "https",
      let authority = target.authority?.split(separator: "@", omittingEmptySubsequences: false).last,
      !authority.isEmpty, hasPort(authority),
      authority.utf8.allSatisfy({ $0 >= 0x80 || PercentEncoding.authority.allows($0) })
    else { return nil }
    let path = target.path.isEmpty ? "/" : target.path.percentEncoded(.path)
    let query = target.query.map { "?" + $0.percentEncoded(.query) } ?? ""
    guard let url = URL(string: "\(targetScheme)://\(authority)\(path)\(query)"), url.host?.isEmpty == false
    else { return nil }
    return url
  }

  /// The fragment of the field's value, escaped; `nil` where it has none.
  static func fragment(of location: String) -> String? {
    location.firstIndex(of: "#").map { mark in
      location[location.index(after: mark)...].trimmingCharacters(in: .whitespaces).percentEncoded(.query)
    }
  }

  /// Whether the port is one, where there is any: 65535 is the highest.
  private static func hasPort(_ authority: Substring) -> Bool {
    let afterHost = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
    guard let colon = afterHost.lastIndex(of: ":") else { return true }
    let port = afterHost[afterHost.index(after: colon)...]
    return port.utf8.allSatisfy(\.isASCIIDigit) && (port.isEmpty || UInt16(port) != nil)
  }

  /// The parts of a reference without its fragment (RFC 3986, appendix B).
  private struct Reference {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    init?(_ text: String) {
      var rest = text.prefix { $0 != "#" }
      if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains(where: { "/?".contains($0) }) {
        let scheme = rest[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter else { return nil }
        self.scheme = String(scheme)
        rest = rest[rest.index(after: colon)...]
      }
      if let mark = rest.firstIndex(of: "?") {
        query = String(rest[rest.index(after: mark)...])
        rest = rest[..<mark]
      }
      if rest.hasPrefix("//") {
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex(of: "/") ?? afterSlashes.endIndex
        authority = String(afterSlashes[..<end])
        rest = afterSlashes[end...]
      }
      path = String(rest)
    }

    /// RFC 3986, section 5.2.2.
    func resolved(against base: Reference, baseScheme: String) -> Reference {
      var target = self
      if scheme != nil || authority != nil {
        target.scheme = scheme ?? baseScheme
        target.path = Self.withoutDotSegments(path)
        return target
      }
      target.scheme = baseScheme
      target.authority = base.authority
      if path.isEmpty {
        target.path = base.path
        target.query = query ?? base.query
      } else if path.hasPrefix("/") {
        target.path = Self.withoutDotSegments(path)
      } else {
        let directory = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
        target.path = Self.withoutDotSegments(directory + path)
      }
      return target
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDotSegments(_ path: String) -> String {
      var output: [Substring] = []
      let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      for (index, segment) in segments.enumerated() {
        let isLast = index == segments.count - 1
        switch segment.lowercased().replacingOccurrences(of: "%2e", with: ".") {
        case ".":
          if isLast { output.append("") }
        case "..":
          if output.count > 1 { output.removeLast() }
          if isLast { output.append("") }
        default:
          output.append(segment)
        }
      }
      return output.joined(separator: "/")
    }
  }
}
