import Foundation

/// The plan of a random run: a pure value of its seed, which can be printed.
package struct Plan: Sendable {
  /// The number of servers. Each has its own origin, and a client with its base URL there.
  static let originCount = 3

  package var seed: UInt64
  var clients: [ClientPlan] = []
  var steps: [Step] = []

  var calls: [CallPlan] { steps.compactMap { if case .call(let call) = $0 { call } else { nil } } }
}

/// A service with a user whose token is for the service's origin.
struct ClientPlan: Sendable {
  var attempts = 1
  var hasCache = false
  var deadline: Double?
  var timeout = 2.0
}

enum Step: Sendable {
  case call(CallPlan)
  case cancel(call: Int)
  /// Waits until a server has received a request of the call.
  case waitForServer(call: Int)
  case pause(milliseconds: Int)
  /// Waits until every started call has ended.
  case settle
}

/// One call of a client: its request, its form, and the servers' responses to its requests.
struct CallPlan: Sendable {
  enum Form: CaseIterable, Sendable { case completion, awaited, streamed, streamAwaited, download }
  enum Body: CaseIterable, Sendable { case none, json, largeJSON, file, stream, streamOnce }

  var number: Int
  var client = 0
  var form = Form.completion
  var method = "GET"
  var body = Body.none
  var hasToken = false
  var timeout: Double?
  var deadline: Double?
  /// The number of lines in each good response.
  var lineCount = 1
  /// The responses to the first request, the second, and so on. The last response repeats.
  var script: [Behaviour] = [.good()]

  var isStream: Bool { form == .streamed || form == .streamAwaited }

  /// The lines of a good response.
  var content: [String] {
    (0..<lineCount).map { "line \($0) for call \(number) \(String(repeating: "f", count: $0 % 7 * 20))" }
  }
}

/// A server's response to one request.
enum Behaviour: Sendable {
  enum Form: Sendable { case length, chunked, chunkedWithTrailers, untilClose, gzip, deflate, unknownCoding }

  case good(Form = .length)
  /// A good response after a delay.
  case late(milliseconds: Int)
  /// A good response, one line at a time with pauses.
  case drip(milliseconds: Int)
  case status(Int)
  /// A redirect within the call, to this origin. Its body may have no end.
  case redirect(Int, origin: Int, isEndless: Bool)
  case reset, close, silence
  /// A good head, followed by the end of the connection within the body.
  case cut(isReset: Bool)
  case cutGzip
  /// A good response, followed by bytes that nobody requested. The call has to be the only one.
  case push(endsConnection: Bool)
  /// A good response. The server reads the next request on the connection and closes the connection.
  case swallowsNext
  /// A good response. The server closes the connection when the next request begins to arrive.
  case closesOnNext
  /// A good response. The server closes the connection a moment later.
  case closesSoon
  case unaskedSwitch
  /// This many bytes of zeros, compressed.
  case decompressionBomb(megabytes: Int)

  /// The seconds that a server takes for a response that gives a client no reason to fail; `nil` for other responses.
  var duration: Double? {
    switch self {
    case .late(let milliseconds), .drip(let milliseconds): Double(milliseconds) / 1000
    case .good, .push, .swallowsNext, .closesOnNext, .closesSoon, .redirect(_, _, isEndless: false): 0
    default: nil
    }
  }

  var isRedirect: Bool { if case .redirect = self { true } else { false } }
  var isPush: Bool { if case .push = self { true } else { false } }
}

extension Plan: CustomStringConvertible {
  package var description: String {
    (["seed \(seed)"] + clients.map { "\($0)" } + steps.map { "- \($0)" }).joined(separator: "\n")
      // Swift names the module and the type of a case within a value.
      .replacingOccurrences(of: #"RandomRun\w*\.([A-Z]\w*\.)*"#, with: "", options: .regularExpression)
  }
}
