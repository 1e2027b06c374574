import Foundation

extension LoopbackServer {
  /// Answers that are no HTTP; a client should fail and say so. What has a body has `ok`.
  public enum Malformation: String, CaseIterable, Sendable {
    /// No HTTP at all.
    case garbage
    /// The bytes of a TLS alert.
    case tlsAlert
    /// No byte, and the end of the connection.
    case nothing
    /// A status that isn't a number.
    case statusNotANumber
    /// A status line that ends within the status.
    case statusTooShort
    /// A version that doesn't exist.
    case unknownVersion
    /// The connection ends within the head.
    case headCutOff
    /// A field without a colon.
    case fieldWithoutColon
    /// A field without a name.
    case fieldWithoutName
    /// A NUL in a value.
    case nulInField
    /// A length that isn't a number.
    case lengthNotANumber
    /// A length below zero.
    case lengthNegative
    /// Two lengths that differ.
    case lengthsThatDiffer
    /// A length that no integer holds.
    case lengthTooLarge
    /// The connection ends within the body.
    case bodyCutOff
    /// A chunk size that isn't hexadecimal.
    case chunkSizeNotHexadecimal
    /// A chunk size that no integer holds.
    case chunkSizeTooLarge
    /// A chunk that isn't followed by CR LF.
    case chunkWithoutEnd
    /// The connection ends within a chunk.
    case chunkCutOff
    /// The connection ends before the last chunk.
    case lastChunkMissing
    /// The connection ends within the trailers.
    case trailersCutOff

    var bytes: String {
      switch self {
      case .garbage: "\u{1}\u{2}\u{3} this is no answer\r\n\r\n"
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
      case .trailersCutOff: Self.chunked + "2\r\nok\r\n0\r\nX-Trail"
      }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  }

  /// Answers that bend the standard and that servers do give: a client should take the status 200 and the body `ok`.
  public enum Oddity: String, CaseIterable, Sendable {
    /// Lines that end in LF alone.
    case lineFeedsAlone
    /// No reason and no space behind the status.
    case noReason
    /// A space behind the status and no reason.
    case emptyReason
    /// A byte of Latin-1 in a value.
    case latin1InField
    /// A byte of Latin-1 in the reason.
    case latin1InReason
    /// A field without a value.
    case emptyValue
    /// White space around a value.
    case spacesAroundValue
    /// Names in capitals.
    case capitals
    /// The same length twice.
    case lengthTwice
    /// A field twice, its case differing.
    case fieldTwice
    /// HTTP/1.0, the body ending with the connection.
    case version10
    /// `100 Continue` that nobody asked for.
    case continueUnasked
    /// `103 Early Hints` before the answer.
    case earlyHints
    /// Chunks with extensions and leading zeros.
    case chunkExtensions
    /// Trailers that nobody asked for.
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

    /// Latin-1: a byte for each scalar.
    private static func data(_ text: String) -> Data {
      Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
  }
}

extension LoopbackServer.Answer {
  /// An answer that is no HTTP, then the end of the connection.
  public static func malformed(_ malformation: LoopbackServer.Malformation) -> Self {
    .raw(malformation.bytes, then: .close)
  }

  /// An answer that bends the standard, then the end of the connection.
  public static func odd(_ oddity: LoopbackServer.Oddity) -> Self {
    .raw(oddity.bytes, then: .close)
  }
}
