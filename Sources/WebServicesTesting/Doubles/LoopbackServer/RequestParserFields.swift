import Foundation
import WebServicesCore

extension RequestParser {
  /// Parses a field line (RFC 9112, section 5).
  static func field(_ line: ArraySlice<UInt8>) throws(Failure) -> HTTPHeaders.Field {
    guard line.first != 0x20, line.first != 0x09 else { throw .bad("a field line is folded") }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .bad("a field line has no colon") }
    let name = line[..<colon]
    guard name.isHTTPToken else { throw .bad("a field name isn't a token") }
    var value = line[(colon + 1)...]
    while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    guard value.isHTTPFieldValue else { throw .bad("a field value has a control character") }
    return HTTPHeaders.Field(name: String(decoding: name, as: UTF8.self), value: text(value))
  }

  /// Decodes UTF-8, or else Latin-1, so that no byte is lost.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(bytes: bytes, encoding: .utf8)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
