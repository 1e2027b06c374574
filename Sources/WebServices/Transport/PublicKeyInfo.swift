import Foundation

/// Finds the public key in a certificate: the bytes whose digest is pinned.
enum PublicKeyInfo {
  /// The `SubjectPublicKeyInfo` of a certificate in DER, its tag and length included (RFC 5280, section 4.1); `nil` for
  /// bytes that aren't a certificate.
  static func bytes(of certificate: Data) -> Data? {
    var outer = DERReader(Array(certificate)[...])
    guard let certificate = outer.readElement(tag: 0x30) else { return nil }
    var parts = DERReader(certificate.content)
    guard let signed = parts.readElement(tag: 0x30) else { return nil }
    var fields = DERReader(signed.content)
    // The version has its own tag and is optional. Serial number, algorithm, issuer, validity and subject follow.
    if fields.nextTag == 0xA0 { _ = fields.readElement(tag: 0xA0) }
    for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
      guard fields.readElement(tag: tag) != nil else { return nil }
    }
    return fields.readElement(tag: 0x30).map { Data($0.whole) }
  }
}

/// Reads the elements of DER (X.690) one after the other, and never beyond the end of the bytes.
private struct DERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var nextTag: UInt8? { rest.first }

  /// Returns the next element with its content; `nil` if its tag differs.
  mutating func readElement(tag: UInt8) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    guard rest.count >= 2, rest.first == tag else { return nil }
    let start = rest.startIndex
    var begin = start + 2
    var length = Int(rest[start + 1])
    if length >= 0x80 {
      let count = length & 0x7F
      // DER has no indefinite length (a count of 0). Three bytes suffice for a certificate. Four could overflow the `Int`
      // of a watch.
      guard (1...3).contains(count), rest.count >= 2 + count else { return nil }
      begin += count
      length = rest[(start + 2)..<begin].reduce(0) { $0 << 8 | Int($1) }
    }
    guard length <= rest.endIndex - begin else { return nil }
    defer { rest = rest[(begin + length)...] }
    return (rest[start..<(begin + length)], rest[begin..<(begin + length)])
  }
}
