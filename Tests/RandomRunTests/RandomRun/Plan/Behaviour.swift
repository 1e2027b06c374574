/// A server's response to one request.
indirect enum Behaviour: Sendable {
  enum Framing: Sendable { case length, chunked, chunkedWithTrailers, untilClose }
  enum Coding: Sendable { case none, gzip, deflate, cutGzip, cutDeflate, unknown }
  /// The body of a redirect.
  enum RedirectBody: Sendable { case none, stalls, endless }
  enum Push: Sendable { case response, timeoutThenClose }

  /// A good response of so many lines.
  case lines(Int, framing: Framing = .length, coding: Coding = .none)
  /// A good response after a while.
  case late(milliseconds: Int, lines: Int)
  /// A good response, one piece at a time with pauses.
  case drip(lines: Int, milliseconds: Int)
  case status(Int, retryAfter: Int?)
  /// To the path of the same call at another origin (or the same).
  case redirect(Int, origin: Int, then: [Behaviour], body: RedirectBody)
  case reset
  case close
  case silence
  /// A good head, and an end of the connection within the body.
  case cut(lines: Int, isReset: Bool)
  /// A good response, then bytes that nobody asked for.
  case push(Push)
  /// A good response; the next request on the connection is read and the connection closed.
  case swallowsNext
  /// A good response; the connection is closed when the next request begins to come.
  case closesOnNext
  /// A good response; the connection is closed a moment later.
  case closesSoon
  case endlessTrailers
  case endlessHead
  case unaskedSwitch
  /// A `Connection` field of so many names, and as many fields.
  case manyFields(Int)
  /// A status 500 whose field looks like the beginning of many members.
  case hardToRedact
  /// So many bytes of zeros, compressed.
  case zeros(megabytes: Int)
  /// Events with ids, then the end of the connection; with a `retry` field where it is given.
  case events(Int, retry: String?, hasBadID: Bool)
  /// A page of another kind than events.
  case portal
}

extension Behaviour {
  /// Whether a request that meets it is well served: nothing in it gives a client a reason to fail.
  var isGood: Bool {
    switch self {
    case .lines(_, _, let coding):
      switch coding {
      case .none, .gzip, .deflate, .unknown: true
      case .cutGzip, .cutDeflate: false
      }
    case .late, .drip, .push, .swallowsNext, .closesOnNext, .closesSoon, .zeros, .events, .status(204, _): true
    case .redirect(_, _, let next, _): next.allSatisfy(\.isGood)
    default: false
    }
  }

  /// How long a server takes for it, in seconds, where it is a response that ends a call.
  var duration: Double? {
    switch self {
    case .late(let milliseconds, _): Double(milliseconds) / 1000
    case .drip(let count, let milliseconds): Double(count * milliseconds) / 1000
    case .lines, .push, .swallowsNext, .closesOnNext, .closesSoon, .unaskedSwitch: isGood || status == 101 ? 0 : nil
    default: nil
    }
  }

  /// How many steps a request has that meets it, at most.
  var depth: Int {
    guard case .redirect(_, _, let next, _) = self else { return 1 }
    return 1 + (next.map(\.depth).max() ?? 0)
  }
}
