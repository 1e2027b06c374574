/// Encodes text for a part of a URL (RFC 3986, section 2 and appendix A). Call `percentEncoded(_:)` of the text.
package struct PercentEncoding: Hashable, Sendable {
  /// The bytes that aren't encoded.
  let raw: ByteSet
  /// Whether `%41` counts as already encoded, and isn't encoded once more.
  fileprivate var keepsEscapes = false
  /// Whether a space is written as `+`, as forms have it.
  fileprivate var writesSpaceAsPlus = false

  /// A path with its slashes; escapes that are there stay.
  static let path = PercentEncoding(raw: .unreserved.union("!$&'()*+,;=:@/"), keepsEscapes: true)
  /// A query that is written out; escapes that are there stay.
  static let query = PercentEncoding(raw: .unreserved.union("!$&'()*+,;=:@/?"), keepsEscapes: true)
  /// The name of a host (RFC 3986, section 3.2.2). A `%` isn't allowed, because programs disagree about escapes in a
  /// host.
  static let host = PercentEncoding(raw: .unreserved.union("!$&'()*+,;="))
  /// A value that must arrive unchanged in any part of a URL.
  package static let everythingReserved = PercentEncoding(raw: .unreserved)
  /// A name or a value of `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
  package static let form = PercentEncoding(raw: .alphanumeric.union("*-._"), writesSpaceAsPlus: true)
}

extension String {
  package func percentEncoded(_ encoding: PercentEncoding) -> String {
    // Most texts need no escape, and aren't copied.
    if utf8.allSatisfy(encoding.raw.contains) { return self }
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = Array(utf8)
    var output: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let code = byte == UInt8(ascii: "%") ? bytes[(index + 1)...].prefix(2) : []
      if encoding.raw.contains(byte) || encoding.keepsEscapes && code.count == 2 && code.allSatisfy(\.isHexDigit) {
        output.append(byte)
      } else if encoding.writesSpaceAsPlus, byte == UInt8(ascii: " ") {
        output.append(UInt8(ascii: "+"))
      } else {
        output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension UInt8 { var isHexDigit: Bool { ByteSet.hexDigits.contains(self) } }
