import WebServicesTestSupport

extension LoopbackServer {
  /// A response that deviates from the standard but occurs on real servers. A client should read status 200 and the
  /// body `ok`.
  struct Oddity: Sendable, CustomTestStringConvertible {
    /// The reaction of Foundation on Linux.
    enum Reaction: Sendable { case reads, refuses, crashes }

    var testDescription: String
    var text: String
    var onFoundation = Reaction.reads

    static let latin1InField = Oddity(
      "a Latin-1 byte in a value", head + "X-Name: J\u{FC}rgen\r\nContent-Length: 2\r\n\r\nok", .refuses)
    static let trailers = Oddity(
      "trailers that the client didn't request", chunked + "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n", .crashes)

    static let all: [Oddity] = [
      latin1InField, trailers,
      .init("lines that end in LF alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .refuses),
      .init("no space after the status", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", .refuses),
      .init("an empty reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok"),
      .init("a Latin-1 byte in the reason", "HTTP/1.1 200 Sch\u{F6}n\r\nContent-Length: 2\r\n\r\nok", .refuses),
      .init("an empty value", head + "X-Empty:\r\nContent-Length: 2\r\n\r\nok"),
      .init("spaces around a value", head + "Content-Length: \t 2 \t\r\n\r\nok"),
      .init("names in capitals", head + "CONTENT-LENGTH: 2\r\n\r\nok"),
      .init("two equal lengths", head + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok"),
      .init("a field in two cases", head + "X-A: 1\r\nx-a: 2\r\nContent-Length: 2\r\n\r\nok"),
      .init("HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nok"),
      .init("100 Continue unasked", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      .init(
        "103 Early Hints",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      .init("chunk extensions", chunked + "0001;a=b\r\no\r\n1 ;c\r\nk\r\n00\r\n\r\n"),
    ]

    private init(_ name: String, _ text: String, _ onFoundation: Reaction = .reads) {
      (testDescription, self.text, self.onFoundation) = (name, text, onFoundation)
    }
  }

  /// An invalid response. A client should fail with an error of these kinds. A body, if present, is `ok`.
  struct Malformation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var kinds: Set<TransportError.Kind>

    private static let notHTTP: Set<TransportError.Kind> = [.notHTTPResponse, .badFraming]
    static let headCutOff = Malformation("an incomplete head", head + "Content-Len", [.connectionLost])
    static let foldedFraming = Malformation(
      "a folded framing", head + "Transfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", [.badFraming])

    static let all: [Malformation] = [
      headCutOff, foldedFraming, .init("nothing", "", [.connectionLost]),
      .init("text that isn't HTTP", "\u{1}\u{2}\u{3} this is no response\r\n\r\n", notHTTP),
      .init("a TLS alert", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}", notHTTP),
      .init("a status that is no number", "HTTP/1.1 two OK\r\nContent-Length: 2\r\n\r\nok", notHTTP),
      .init("a short status", "HTTP/1.1 2\r\nContent-Length: 2\r\n\r\nok", notHTTP),
      .init(
        "an unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok", [.notHTTPResponse, .badFraming, .other]),
      .init("a switch that nobody asked for", "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n", [.badFraming]),
      .init("a field without a colon", head + "no colon here\r\nContent-Length: 2\r\n\r\nok", [.badFraming]),
      .init("a field without a name", head + ": value\r\nContent-Length: 2\r\n\r\nok", [.badFraming]),
      .init("a NUL in a value", head + "X-Nul: a\u{0}b\r\nContent-Length: 2\r\n\r\nok", [.badFraming]),
      .init("a length that is no number", head + "Content-Length: two\r\n\r\nok", [.badFraming]),
      .init("a negative length", head + "Content-Length: -2\r\n\r\nok", [.badFraming, .tooLarge]),
      .init("a huge length", head + "Content-Length: 99999999999999999999999\r\n\r\nok", [.badFraming, .tooLarge]),
      .init("two different lengths", head + "Content-Length: 2\r\nContent-Length: 1\r\n\r\nok", [.badFraming]),
      .init("a space before the colon of the length", head + "Content-Length : 10\r\n\r\nhello", [.badFraming]),
      .init(
        "a space before the colon of the framing", head + "Transfer-Encoding : chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        [.badFraming]),
      .init("an incomplete body", head + "Content-Length: 10\r\n\r\nok", [.truncated]),
      .init("a chunk size that isn't hexadecimal", chunked + "xyz\r\nok\r\n0\r\n\r\n", [.badFraming]),
      .init("a chunk size with a prefix", chunked + "0x5\r\nhello\r\n0\r\n\r\n", [.badFraming]),
      .init("a NUL in a trailer", chunked + "2\r\nok\r\n0\r\nX-\u{0}Nul: a\r\n\r\n", [.badFraming]),
      .init("a folded first field", head + " folded: a\r\nContent-Length: 2\r\n\r\nok", [.badFraming]),
      .init("a huge chunk size", chunked + "fffffffffffffffffffffff\r\nok\r\n0\r\n\r\n", [.badFraming]),
      .init("a chunk without its end", chunked + "2\r\nok!!0\r\n\r\n", [.badFraming]),
      .init("an incomplete chunk", chunked + "a\r\nok", [.truncated]),
      .init("no last chunk", chunked + "2\r\nok\r\n", [.truncated]),
      .init("a trailer without a colon", chunked + "2\r\nok\r\n0\r\nno colon here\r\n\r\n", [.badFraming]),
      .init("incomplete trailers", chunked + "2\r\nok\r\n0\r\nX-Trail", [.truncated]),
    ]

    private init(_ name: String, _ text: String, _ kinds: Set<TransportError.Kind>) {
      (testDescription, self.text, self.kinds) = (name, text, kinds)
    }
  }

  private static let head = "HTTP/1.1 200 OK\r\n"
  private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
}

extension LoopbackServer.Response {
  /// An unusual response in Latin-1, one byte per scalar, followed by the end of the connection.
  static func odd(_ oddity: LoopbackServer.Oddity) -> Self {
    [.bytes(Data(oddity.text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })), .close]
  }

  /// An invalid response, followed by the end of the connection.
  static func malformed(_ malformation: LoopbackServer.Malformation) -> Self { .raw(malformation.text, then: .close) }
}
