/// An observation of a client or a server.
enum Sight: Sendable {
  case started(call: Int, generation: Int)
  case element(call: Int, Delivery)
  case ended(call: Int, Outcome)
  case cancelled(call: Int)
  /// A sign-out, a sign-in or a swap of a service begins. It may end calls of the owner.
  case changing(owner: Int)
  case changed(owner: Int)
  case signedIn(owner: Int, identity: Int)
  /// The sign-out has returned.
  case signedOut(owner: Int, identity: Int)
  /// The service was invalidated, and the call has returned.
  case swapped(client: Int, generation: Int)
  case networkSet(client: Int)
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
  /// Whether the completion ran on the right queue or actor.
  var isInPlace = true

  var isSuccess: Bool { failure == nil }
}

/// A request that a server received.
struct Reception: Sendable {
  var origin: Int
  /// The number of the request among all requests of the origin.
  var order: Int
  var call: Int?
  var method: String
  var path: String
  /// The identity in the credentials; `nil` without credentials.
  var identity: Int?
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

  var receptions: [(entry: Int, reception: Reception)] {
    entries.indices.compactMap { index in
      guard case .received(let reception) = entries[index].sight else { return nil }
      return (index, reception)
    }
  }

  /// The ends of a call.
  func ends(of call: Int) -> [(entry: Int, outcome: Outcome)] {
    entries.indices.compactMap { index in
      guard case .ended(call, let outcome) = entries[index].sight else { return nil }
      return (index, outcome)
    }
  }
}
