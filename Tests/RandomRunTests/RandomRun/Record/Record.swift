/// Something that a client or a server saw.
enum Sight: Sendable {
  case started(call: Int, generation: Int)
  case element(call: Int, Delivery)
  case ended(call: Int, Outcome)
  case cancelled(call: Int)
  /// A sign-out, a sign-in or the swap of a service begins, which may end calls of the owner.
  case changing(owner: Int)
  case changed(owner: Int)
  case signedIn(owner: Int, identity: Int)
  /// The sign-out has returned.
  case signedOut(owner: Int, identity: Int)
  /// The service has been invalidated, and that has returned.
  case swapped(client: Int, generation: Int)
  case networkSet(client: Int)
  case received(Reception)
  /// Bytes that nobody asked for are on the wire, behind the response to the request of that name.
  case pushed(String)
  /// A text of the library's has a secret.
  case leaked(source: String, secrets: Set<Secret>, excerpt: String)
  /// To put an error in words took so many seconds.
  case worded(call: Int, seconds: Double)
  /// Something that should be gone, or is missing.
  case left(String)
}

/// How a call ended.
struct Outcome: Sendable {
  /// The error's kind; `nil` for a success.
  var failure: String?
  var delivery = Delivery()
  /// Whether the completion ran where it should.
  var isInPlace = true

  var isSuccess: Bool { failure == nil }
}

/// A request as a server received it.
struct Reception: Sendable {
  var origin: Int
  /// Its place among all requests of the origin.
  var order: Int
  var call: Int?
  var method: String
  var path: String
  /// The identity in its credentials; `nil` for none.
  var identity: Int?
  /// All secrets in it.
  var secrets: Set<Secret>
  /// The status of the response; `nil` where there is none.
  var status: Int?
  /// How long the server takes for a response that ends the call, in seconds; `nil` where the call may go on.
  var duration: Double?
  /// Whether the server read the request and sent no response.
  var isSwallowed = false

  var name: String { "\(origin).\(order)" }
}

/// All that was seen in a run, in its order.
struct Record: Sendable {
  struct Entry: Sendable {
    /// Seconds since the run began.
    var time: Double
    var sight: Sight
  }

  var entries: [Entry] = []
  /// The longest that the machine kept a timer waiting, in seconds.
  var longestStall = 0.0
  /// By how many bytes the process has grown at most; `nil` where it wasn't alone.
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
