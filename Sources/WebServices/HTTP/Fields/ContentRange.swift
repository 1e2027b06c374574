/// Parses the value of `Content-Range`: `bytes 100-199/200`, or `*` for an unknown total (RFC 9110, section 14.4).
package struct ContentRange: Equatable {
  package var first: Int64
  package var last: Int64
  package var total: Int64?

  package init?(_ field: String?) {
    guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = field.dropFirst("bytes ".count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    // `last + 1`, which callers compute, must not overflow.
    guard parts.count == 2, case .bytes(let bounds)? = HTTPHeaders.ByteRange("bytes=\(parts[0])"),
      bounds.upperBound < .max
    else { return nil }
    (first, last) = (bounds.lowerBound, bounds.upperBound)
    guard parts[1] != "*" else { return }
    guard let total = String(parts[1]).httpNumber, last < total else { return nil }
    self.total = total
  }
}
