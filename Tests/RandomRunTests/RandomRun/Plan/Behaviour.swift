/// A server's response to one request.
indirect enum Behaviour: Sendable {
  enum Framing: Sendable { case length, chunked, chunkedWithTrailers, untilClose }
  enum Coding: Sendable { case none, gzip, deflate, cutGzip, cutDeflate, unknown }
  /// The body of a redirect.
  enum RedirectBody: Sendable { case none, stalls, endless }
  enum Push: Sendable { case response, timeoutThenClose }

  /// A good response with this many lines.
  case lines(Int, framing: Framing = .length, coding: Coding = .none)
  /// A good response after a delay.
  case late(milliseconds: Int, lines: Int)
  /// A good response, one piece at a time with pauses.
  case drip(lines: Int, milliseconds: Int)
  case status(Int, retryAfter: Int? = nil)
  /// A redirect to the path of the same call, at this origin.
  case redirect(Int, origin: Int, then: [Behaviour], body: RedirectBody)
  case reset
  case close
  case silence
  /// A good head, followed by the end of the connection within the body.
  case cut(lines: Int, isReset: Bool)
  /// A good response, followed by bytes that nobody requested.
  case push(Push)
  /// A good response. The server reads the next request on the connection and closes the connection.
  case swallowsNext
  /// A good response. The server closes the connection when the next request begins to arrive.
  case closesOnNext
  /// A good response. The server closes the connection a moment later.
  case closesSoon
  case endlessTrailers
  case endlessHead
  case unaskedSwitch
  /// A `Connection` field with this many names, and as many fields.
  case manyFields(Int)
  /// A status 500 with a field that looks like the beginning of many members.
  case hardToRedact
  /// This many bytes of zeros, compressed.
  case zeros(megabytes: Int)
}

extension Behaviour {
  /// Whether the response gives a client no reason to fail.
  var isGood: Bool {
    switch self {
    case .lines(_, _, let coding):
      switch coding {
      case .none, .gzip, .deflate, .unknown: true
      case .cutGzip, .cutDeflate: false
      }
    case .late, .drip, .push, .swallowsNext, .closesOnNext, .closesSoon, .zeros: true
    case .redirect(_, _, let next, _): next.allSatisfy(\.isGood)
    default: false
    }
  }

  /// The seconds that a server takes for a response that ends a call; `nil` for other responses.
  var duration: Double? {
    switch self {
    case .late(let milliseconds, _): Double(milliseconds) / 1000
    case .drip(let count, let milliseconds): Double(count * milliseconds) / 1000
    case .lines, .push, .swallowsNext, .closesOnNext, .closesSoon, .unaskedSwitch: isGood || status == 101 ? 0 : nil
    default: nil
    }
  }

  /// The most steps of a request with this response.
  var depth: Int {
    guard case .redirect(_, _, let next, _) = self else { return 1 }
    return 1 + (next.map(\.depth).max() ?? 0)
  }
}
