import Foundation
import WebServicesCore

extension RequestParser {
  /// The state after a head, which says where the body ends (RFC 9112, section 6.3).
  func state(after head: Head) throws(Failure) -> State {
    // HTTP/1.1 demands exactly one `Host` field (RFC 9112, section 3.2).
    let hosts = head.headers.values(for: "Host").count
    guard hosts == 1 || (hosts == 0 && head.minorVersion == 0) else {
      throw .bad("the request must have exactly one Host field")
    }
    let lengths = head.headers.values(for: "Content-Length")
    let encodings = head.headers.values(for: "Transfer-Encoding")
    guard encodings.isEmpty else {
      // Both fields together are the mark of request smuggling (RFC 9112, section 6.1).
      guard lengths.isEmpty else { throw .bad("Content-Length beside Transfer-Encoding") }
      guard encodings.count == 1, encodings[0].equalsIgnoringASCIICase("chunked") else {
        throw Failure(status: 501, reason: "the only supported transfer encoding is chunked")
      }
      return .chunkSize
    }
    guard let text = lengths.first else { return .end }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw .bad("Content-Length isn't one number")
    }
    guard let length = Int(text), length <= limits.bodyBytes else { throw tooLarge }
    return length == 0 ? .end : .content(remaining: length, isChunk: false)
  }

  var tooLarge: Failure { Failure(status: 413, reason: "the body has more than \(limits.bodyBytes) bytes") }

  /// Whether the connection stays open after the response (RFC 9112, section 9.3).
  static func keepsAlive(_ head: Head) -> Bool {
    let options = head.headers.values(for: "Connection").flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    if options.contains("close") { return false }
    return head.minorVersion == 1 || options.contains("keep-alive")
  }

  /// Parses a field line (RFC 9112, section 5).
  static func field(_ line: ArraySlice<UInt8>) throws(Failure) -> HTTPHeaders.Field {
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
