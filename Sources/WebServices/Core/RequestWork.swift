/// Binds several requests to the user of the first request. Examples are an event stream with its reconnections, and the
/// pages of a collection. The requests carry the work among their options, so that a service around the sending one
/// passes it on. A renewal of the token that a request waits for is no part of the request's work.
///
/// A later request that needs a token is cancelled once that user has signed out.
package final class RequestWork: Sendable {
  /// The identity that the first request of the work found at a service. The work retains the memory of the service's
  /// requests alone: the service's session ends with the engine.
  private typealias Start = (requests: Locked<Engine.State>, identity: Engine.Identity)

  /// The clock and the random numbers for the waits between requests, and the secrets to hide in errors of a wait.
  package typealias Waiting = (clock: any WebServiceClock, random: RetryPolicy.RandomSource, redaction: Redaction)

  private typealias State = (starts: [Start], waiting: Waiting)

  /// The first identity at each service. An engine has its own lock and isn't asked with this one held.
  private let state = Locked<State>(([], (SystemClock.shared, .system, .standard)))

  package init() {}

  /// The values of the service that sent the last request. A fake has none, and the system's stand in for them.
  package var waiting: Waiting { state.withLock { $0.waiting } }

  /// The identity for a request of this work at a service.
  ///
  /// - Parameter isOfUser: whether the request carries credentials of the user who is signed in.
  func identity(in engine: Engine, isOfUser: Bool) -> Engine.Identity {
    let identity = engine.identity
    // Swapped, so that the former clock is released after unlocking.
    let configuration = engine.configuration
    var waiting: Waiting = (configuration.clock, configuration.random, configuration.redaction)
    let starts = state.withLock { state in
      if !state.starts.contains(where: { $0.requests.isSame(as: engine.state) }) {
        state.starts.append((engine.state, identity))
      }
      swap(&state.waiting, &waiting)
      return state.starts
    }
    // A service that was shut down was replaced. Its work isn't continued through another service.
    if starts.contains(where: { !$0.requests.isSame(as: engine.state) && !$0.requests.withLock { $0.isOpen } }) {
      return .ended
    }
    return isOfUser ? starts.first { $0.requests.isSame(as: engine.state) }?.identity ?? identity : .none
  }
}
