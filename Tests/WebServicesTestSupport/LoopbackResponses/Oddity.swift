import Foundation
import WebServicesTesting

extension LoopbackServer {
  /// Responses that deviate from the standard but occur on real servers. A client should read status 200 and the body
  /// `ok`.
  enum Oddity: String, CaseIterable, Sendable {
    /// Lines that end in LF instead of CR LF.
    case lineFeedsAlone
    /// A status line that ends after the status.
    case noReason
    /// A status line with a space and an empty reason.
    case emptyReason
    /// A Latin-1 byte in a header value.
    case latin1InField
    /// A Latin-1 byte in the reason.
    case latin1InReason
    /// A header field without a value.
    case emptyValue
    /// Spaces around a header value.
    case spacesAroundValue
    /// Header names in capitals.
    case capitals
    /// Two equal `Content-Length` fields.
    case lengthTwice
    /// A repeated header field with different case.
    case fieldTwice
    /// HTTP/1.0 with a body that ends with the connection.
    case version10
    /// A `100 Continue` that the client didn't request.
    case continueUnasked
    /// A `103 Early Hints` before the response.
    case earlyHints
    /// Chunks with extensions and leading zeros.
    case chunkExtensions
    /// Trailers that the client didn't request.
    case trailers

    var bytes: Data {
      switch self {
      case .lineFeedsAlone: Self.data("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
      case .noReason: Self.data("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok")
      case .emptyReason: Self.data("HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok")
      case .latin1InField: Self.data("HTTP/1.1 200 OK\r\nX-Name: J\u{FC}rgen\r\nContent-Length: 2\r\n\r\nok")
      case .latin1InReason: Self.data("HTTP/1.1 200 Sch\u{F6}n\r\nContent-Length: 2\r\n\r\nok")
      case .emptyValue: Self.data("HTTP/1.1 200 OK\r\nX-Empty:\r\nContent-Length: 2\r\n\r\nok")
      case .spacesAroundValue: Self.data("HTTP/1.1 200 OK\r\nContent-Length: \t 2 \t\r\n\r\nok")
      case .capitals: Self.data("HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\nok")
      case .lengthTwice: Self.data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok")
      case .fieldTwice: Self.data("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 2\r\n\r\nok")
      case .version10: Self.data("HTTP/1.0 200 OK\r\n\r\nok")
      case .continueUnasked:
        Self.data("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      case .earlyHints:
        Self.data(
          "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      case .chunkExtensions: Self.data(Self.chunked + "0001;a=b\r\no\r\n1 ;c\r\nk\r\n00\r\n\r\n")
      case .trailers: Self.data(Self.chunked + "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n")
      }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Encodes Latin-1: one byte per scalar.
    private static func data(_ text: String) -> Data {
      Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
  }
}

extension LoopbackServer.Response {
  /// An unusual response, followed by the end of the connection.
  static func odd(_ oddity: LoopbackServer.Oddity) -> Self {
    [.bytes(oddity.bytes), .close]
  }
}
