/// An observation of a client or a server.
enum Sight: Sendable {
  case started(call: Int)
  case element(call: Int, Delivery)
  case ended(call: Int, Outcome)
  case cancelled(call: Int)
  case received(Reception)
  /// Bytes that nobody requested were sent after the response to this request.
  case pushed(String)
  /// A text of the library contains a secret.
  case leaked(source: String, secrets: Set<Secret>, excerpt: String)
  /// Describing an error took this many seconds.
  case worded(call: Int, seconds: Double)
  /// A leftover, or something missing.
  case left(String)
}

/// The outcome of a call.
struct Outcome: Sendable {
  /// The error's kind; `nil` for a success.
  var failure: String?
  var delivery = Delivery()
  /// Whether the completion ran on the right queue.
  var isInPlace = true
}

/// A request that a server received.
struct Reception: Sendable {
  var origin: Int
  /// The number of the request among all requests of the origin.
  var order: Int
  var call: Int?
  var method: String
  var path: String
  /// All secrets in the request.
  var secrets: Set<Secret>
  /// The status of the response; `nil` without a response.
  var status: Int?
  /// The seconds that the server takes for a response that ends the call; `nil` if the call may continue.
  var duration: Double?
  /// Whether the server read the request and sent no response.
  var isSwallowed = false

  var name: String { "\(origin).\(order)" }
}

/// All observations of a run, in order.
struct Record: Sendable {
  struct Entry: Sendable {
    /// The seconds since the run began.
    var time: Double
    var sight: Sight
  }

  var entries: [Entry] = []
  /// The longest delay of a timer by the machine, in seconds.
  var longestStall = 0.0
  /// The most bytes by which the process has grown; `nil` if it did other work.
  var growth: Int?

  var receptions: [Reception] {
    entries.compactMap { if case .received(let reception) = $0.sight { reception } else { nil } }
  }

  func ends(of call: Int) -> [Outcome] {
    entries.compactMap { if case .ended(call, let outcome) = $0.sight { outcome } else { nil } }
  }
}
