import Foundation
import WebServicesTesting

extension LoopbackServer {
  /// Invalid responses. A client should fail with an error that explains the response. A body, if present, is `ok`.
  enum Malformation: String, CaseIterable, Sendable {
    /// Text that isn't HTTP.
    case garbage
    /// The bytes of a TLS alert.
    case tlsAlert
    /// No bytes, only the end of the connection.
    case nothing
    /// A status that isn't a number.
    case statusNotANumber
    /// A status line that ends within the status.
    case statusTooShort
    /// An HTTP version that doesn't exist.
    case unknownVersion
    /// A head that the end of the connection truncates.
    case headCutOff
    /// A header field without a colon.
    case fieldWithoutColon
    /// A header field without a name.
    case fieldWithoutName
    /// A NUL byte in a header value.
    case nulInField
    /// A `Content-Length` that isn't a number.
    case lengthNotANumber
    /// A negative `Content-Length`.
    case lengthNegative
    /// Two different `Content-Length` fields.
    case lengthsThatDiffer
    /// A `Content-Length` that exceeds every integer type.
    case lengthTooLarge
    /// A body that the end of the connection truncates.
    case bodyCutOff
    /// A chunk size that isn't hexadecimal.
    case chunkSizeNotHexadecimal
    /// A chunk size that exceeds every integer type.
    case chunkSizeTooLarge
    /// A chunk that isn't followed by CR LF.
    case chunkWithoutEnd
    /// A chunk that the end of the connection truncates.
    case chunkCutOff
    /// A body without its last chunk.
    case lastChunkMissing
    /// A trailer without a colon.
    case trailerWithoutColon
    /// Trailers that the end of the connection truncates.
    case trailersCutOff

    var bytes: String {
      switch self {
      case .garbage: "\u{1}\u{2}\u{3} this is no response\r\n\r\n"
      case .tlsAlert: "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}"
      case .nothing: ""
      case .statusNotANumber: "HTTP/1.1 two OK\r\nContent-Length: 2\r\n\r\nok"
      case .statusTooShort: "HTTP/1.1 2\r\nContent-Length: 2\r\n\r\nok"
      case .unknownVersion: "HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok"
      case .headCutOff: "HTTP/1.1 200 OK\r\nContent-Len"
      case .fieldWithoutColon: "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok"
      case .fieldWithoutName: "HTTP/1.1 200 OK\r\n: value\r\nContent-Length: 2\r\n\r\nok"
      case .nulInField: "HTTP/1.1 200 OK\r\nX-Nul: a\u{0}b\r\nContent-Length: 2\r\n\r\nok"
      case .lengthNotANumber: "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok"
      case .lengthNegative: "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok"
      case .lengthsThatDiffer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 1\r\n\r\nok"
      case .lengthTooLarge: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok"
      case .bodyCutOff: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"
      case .chunkSizeNotHexadecimal: Self.chunked + "xyz\r\nok\r\n0\r\n\r\n"
      case .chunkSizeTooLarge: Self.chunked + "fffffffffffffffffffffff\r\nok\r\n0\r\n\r\n"
      case .chunkWithoutEnd: Self.chunked + "2\r\nok!!0\r\n\r\n"
      case .chunkCutOff: Self.chunked + "a\r\nok"
      case .lastChunkMissing: Self.chunked + "2\r\nok\r\n"
      case .trailerWithoutColon: Self.chunked + "2\r\nok\r\n0\r\nno colon here\r\n\r\n"
      case .trailersCutOff: Self.chunked + "2\r\nok\r\n0\r\nX-Trail"
      }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  }
}

extension LoopbackServer.Response {
  /// An invalid response, followed by the end of the connection.
  static func malformed(_ malformation: LoopbackServer.Malformation) -> Self {
    .raw(malformation.bytes, then: .close)
  }
}
