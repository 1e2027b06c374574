/// A random run before it is run: a pure value of its seed, which can be printed and shortened.
package struct Plan: Sendable {
  package var seed: UInt64
  /// How many servers there are; each is an origin of its own.
  var originCount: Int
  var owners: [OwnerPlan]
  var clients: [ClientPlan]
  /// Resources that several calls ask for, by number.
  var resources: [ResourcePlan]
  package var steps: [Step]

  var calls: [CallPlan] {
    steps.compactMap { step in
      guard case .call(let call) = step.action else { return nil }
      return call
    }
  }

  func call(_ number: Int) -> CallPlan? { calls.first { $0.number == number } }
}

/// Somebody who signs in and out: a token manager, or a `Server` whose configuration is swapped.
struct OwnerPlan: Sendable {
  enum Kind: Sendable { case tokens, server }

  var kind: Kind
  /// The origin that its secrets are for.
  var home: Int
  /// How long its tokens live, in seconds: less than a minute means that each use renews first.
  var tokenLifetime: Int
  var renewal: Renewal

  /// The response of the renewal's endpoint.
  enum Renewal: Sendable { case works, isSlow, failsFirst, hasNoRefreshToken }
}

/// A service, or the one `Server` of an owner.
struct ClientPlan: Sendable {
  var owner: Int
  /// Where its relative paths go. A client whose origin isn't its owner's home sends nothing that needs a token.
  var origin: Int
  var policies: Policies
}

/// Every policy, on or off.
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
  /// Whether the base URL has a name and not a loopback address, which is asked without a network too.
  var hasName = false
}

/// A resource at the path `/r/number` of every origin.
struct ResourcePlan: Sendable {
  var lines: Int
  /// The value of `Cache-Control`.
  var cacheControl: String
  var hasTag: Bool
  var delay: Int
  /// What is done from the third request on with every other one, where it isn't the usual response.
  var trouble: Behaviour?
}

/// An event of a request during which an owner signs out.
struct Tripwire: Sendable {
  enum Event: Sendable {
    /// A try of the request has failed.
    case failed
    /// The cache has the response; it may be about to ask for a newer one.
    case cached
  }

  var event: Event
  /// The path of the request.
  var path: String
  var owner: Int
  var next: Int
}

/// One step, and the moment it waits for.
package struct Step: Sendable {
  var moment = Moment.now
  var action: Action

  enum Action: Sendable {
    case call(CallPlan)
    /// Ends an identity; `next` signs in afterwards in the same turn.
    case signOut(owner: Int, next: Int?)
    /// Has a `Server` follow another source, which has the identity `next`, while a former source sets `stray`.
    case replaceSource(owner: Int, stray: Int, next: Int)
    /// Ends an identity while a monitor is told of an event, and signs the next one in.
    case arm(Tripwire)
    /// Ends a service and puts another in its place.
    case swapService(client: Int)
    case cancel(call: Int)
    case setNetwork(client: Int, isConnected: Bool)
    case pause(milliseconds: Int)
    /// Waits until every call that was started has ended.
    case settle
  }

  enum Moment: Sendable {
    case now
    /// So long after the servers have received so many requests of the call.
    case received(call: Int, count: Int, milliseconds: Int)
    /// When the call has handed on so many elements.
    case elements(call: Int, count: Int)
  }
}
