import Foundation

/// Which fields of the request an answer was chosen by (RFC 9111, section 4.1).
enum VaryingFields {
  /// The names in the answer's `Vary` in lower case, sorted and each once; `nil` where `*` says that no request is like
  /// another.
  static func names(in headers: HTTPHeaders) -> [String]? {
    guard headers["Vary"] != nil else { return [] }
    let members = headers.values(for: "Vary").flatMap { value in
      value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
    guard !members.contains("*") else { return nil }
    return Set(members.filter { !$0.isEmpty }).sorted()
  }

  /// A digest of what the request says in these fields; empty without names. A digest, because a field such as `Cookie`
  /// holds secrets that must not be stored.
  ///
  /// Lines of one field are one value, and white space around its members doesn't count; a field that isn't there is
  /// another thing than an empty one.
  static func digest(of headers: HTTPHeaders, names: [String], salt: Data) -> [UInt8] {
    guard !names.isEmpty else { return [] }
    let parts = names.flatMap { name in
      let values = headers.values(for: name)
      let members = values.flatMap { value in
        value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return [Array(name.utf8), [values.isEmpty ? 0 : 1], Array(members.joined(separator: ",").utf8)]
    }
    return SHA256Digest.digest(ofParts: [Array(salt)] + parts)
  }
}
