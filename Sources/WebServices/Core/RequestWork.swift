/// Binds several requests to the user of the first request. Examples are an event stream with its reconnections, and
/// the pages of a collection. The requests carry the work among their options, so that a service around the sending one
/// passes it on. A renewal of the token that a request waits for is no part of the request's work.
///
/// A later request that needs a token is cancelled once that user has signed out.
package final class RequestWork: Sendable {
  /// The identity that the first request of the work found at a service. The work retains the memory of the service's
  /// requests alone: the service's session ends with the engine.
  private typealias Start = (requests: Locked<Engine.State>, identity: Engine.Identity)

  /// The first identity at each service. An engine has its own lock and isn't asked with this one held.
  private let state = Locked<(starts: [Start], configuration: WebServiceConfiguration)>(([], WebServiceConfiguration()))

  package init() {}

  /// The configuration of the service that sent the last request. A fake has none, and the defaults stand in for it.
  package var configuration: WebServiceConfiguration { state.withLock { $0.configuration } }

  /// The identity for a request of this work at a service.
  ///
  /// - Parameter isOfUser: whether the request carries credentials of the user who is signed in.
  func identity(in engine: Engine, isOfUser: Bool) -> Engine.Identity {
    let identity = engine.identity
    // Swapped, so that the former one is released after unlocking.
    var configuration = engine.configuration
    let starts = state.withLock { state in
      if !state.starts.contains(where: { $0.requests.isSame(as: engine.state) }) {
        state.starts.append((engine.state, identity))
      }
      swap(&state.configuration, &configuration)
      return state.starts
    }
    // A service that was shut down was replaced. Its work isn't continued through another service.
    if starts.contains(where: { !$0.requests.isSame(as: engine.state) && !$0.requests.withLock { $0.isOpen } }) {
      return .ended
    }
    return isOfUser ? starts.first { $0.requests.isSame(as: engine.state) }?.identity ?? identity : .none
  }
}
