/// The plan of a random run: a pure value of its seed, which can be printed and shortened.
package struct Plan: Sendable {
  package var seed: UInt64
  /// The number of servers. Each has its own origin.
  var originCount: Int
  var owners: [OwnerPlan]
  var clients: [ClientPlan]
  /// The resources that several calls request, by number.
  var resources: [ResourcePlan]
  package var steps: [Step]

  var calls: [CallPlan] {
    steps.compactMap { step in
      switch step.action {
      case .call(let call), .changeUser(_, _, let call): call
      default: nil
      }
    }
  }

  func call(_ number: Int) -> CallPlan? { calls.first { $0.number == number } }
}

/// A user who signs in and out: a token manager, or a `Server` whose configuration is swapped.
struct OwnerPlan: Sendable {
  enum Kind: Sendable { case tokens, server }

  var kind: Kind
  /// The origin that may receive the owner's secrets.
  var home: Int
  /// The lifetime of the owner's tokens in seconds. With less than a minute each use renews the token first.
  var tokenLifetime: Int
  var renewal: Renewal

  /// The response of the renewal's endpoint.
  enum Renewal: Sendable { case works, isSlow, failsFirst, hasNoRefreshToken }
}

/// A service, or the `Server` of an owner.
struct ClientPlan: Sendable {
  var owner: Int
  /// The origin of relative paths. A client sends no token if this isn't its owner's home.
  var origin: Int
  var policies: Policies
}

/// The settings of all policies.
struct Policies: Sendable {
  enum Cache: Sendable { case none, memory, disk }

  var retries = 0
  var concurrentRequests: Int?
  var hasBreaker = false
  var coalesces = false
  var cache = Cache.none
  var waitsForNetwork = false
  var deadline: Double?
  var timeout = 2.0
  var followsRedirects = true
  /// Whether the base URL has a name instead of a loopback address. A loopback address needs no network.
  var hasName = false
}

/// A resource at the path `/r/number` of every origin.
struct ResourcePlan: Sendable {
  var lines: Int
  /// The value of `Cache-Control`.
  var cacheControl: String
  var hasTag: Bool
  var delay: Int
  /// The response to every second request from the third on, if it isn't the usual one.
  var trouble: Behaviour?
}

/// An event of a request during which an owner signs out.
struct Tripwire: Sendable {
  enum Event: Sendable {
    /// An attempt of the request has failed.
    case failed
    /// The cache has the response, and may be about to refresh it.
    case cached
  }

  var event: Event
  /// The path of the request.
  var path: String
  var owner: Int
  var next: Int
}

/// A step, and the moment at which it happens.
package struct Step: Sendable {
  var moment = Moment.now
  var action: Action

  enum Action: Sendable {
    case call(CallPlan)
    /// Ends an identity. `next` signs in directly afterwards.
    case signOut(owner: Int, next: Int?)
    /// Ends an identity while completions run. The first completion that fails signs `next` in and starts a call.
    case changeUser(owner: Int, next: Int, first: CallPlan)
    /// Makes a `Server` follow another source with the identity `next`, while its former source sets `stray`.
    case replaceSource(owner: Int, stray: Int, next: Int)
    /// Ends an identity during an event of a monitor, and signs the next identity in.
    case arm(Tripwire)
    /// Ends a service and replaces it.
    case swapService(client: Int)
    case cancel(call: Int)
    case setNetwork(client: Int, isConnected: Bool)
    case pause(milliseconds: Int)
    /// Waits until every started call has ended.
    case settle
  }

  enum Moment: Sendable {
    case now
    /// This long after the servers have received this many requests of the call.
    case received(call: Int, count: Int, milliseconds: Int)
  }
}
