import Foundation

/// Finds the public key in a certificate: the bytes whose digest is pinned.
enum PublicKeyInfo {
  /// The `SubjectPublicKeyInfo` of a certificate in DER, its tag and length included (RFC 5280, section 4.1); `nil` for
  /// bytes that aren't a certificate.
  static func bytes(of certificate: Data) -> Data? {
    var outer = Array(certificate)[...]
    guard var parts = outer.readElement(tag: 0x30)?.content, var fields = parts.readElement(tag: 0x30)?.content
    else { return nil }
    // The version has its own tag and is optional. Serial number, algorithm, issuer, validity and subject follow.
    _ = fields.readElement(tag: 0xA0)
    for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] where fields.readElement(tag: tag) == nil { return nil }
    return fields.readElement(tag: 0x30).map { Data($0.whole) }
  }
}

extension ArraySlice<UInt8> {
  /// Takes the next element of DER (X.690) off the bytes, and returns the element with its content; `nil` if its tag
  /// differs, or if its end is beyond the bytes.
  fileprivate mutating func readElement(tag: UInt8) -> (whole: ArraySlice, content: ArraySlice)? {
    guard count >= 2, first == tag else { return nil }
    let start = startIndex
    var begin = start + 2
    var length = Int(self[start + 1])
    if length >= 0x80 {
      let digits = length & 0x7F
      // DER has no indefinite length (a count of 0). Three bytes suffice for a certificate. Four could overflow the
      // `Int` of a watch.
      guard (1...3).contains(digits), count >= 2 + digits else { return nil }
      begin += digits
      length = self[(start + 2)..<begin].reduce(0) { $0 << 8 | Int($1) }
    }
    guard length <= endIndex - begin else { return nil }
    defer { self = self[(begin + length)...] }
    return (self[start..<(begin + length)], self[begin..<(begin + length)])
  }
}
