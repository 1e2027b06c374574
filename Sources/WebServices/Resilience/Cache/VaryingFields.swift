import Foundation

/// Which fields of the request an answer was chosen by (RFC 9111, section 4.1).
enum VaryingFields {
  /// The most names that are compared. A response whose `Vary` has more of them fits no other request.
  static let limit = 64

  /// The names in the response's `Vary` in lower case, sorted and each once; `nil` where `*` says that no request is
  /// like another. Content that is still encoded fits only requests that ask for the same encodings, whether the server
  /// says so or not: other callers expect the transport to decode the content.
  static func names(in headers: HTTPHeaders, method: HTTPMethod) -> [String]? {
    var names: Set<String> = method == .get && headers["Content-Encoding"] != nil ? ["accept-encoding"] : []
    guard headers["Vary"] != nil else { return names.sorted() }
    for value in headers.values(for: "Vary") {
      for member in value.split(separator: ",") {
        names.insert(member.trimmingCharacters(in: .whitespaces).lowercased())
      }
    }
    names.remove("")
    return names.contains("*") || names.count > limit ? nil : names.sorted()
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
