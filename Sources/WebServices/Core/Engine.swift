import Foundation
internal import WebServicesTransport

/// Holds what all requests of a service share: the session with its layers, the token manager, and the requests that
/// are in progress. A service makes one, and each request retains the engine until it is delivered.
///
/// The requests and their user are in `Engine+Requests.swift`. Any thread may call every method.
package final class Engine: Sendable {
  /// The session with the configuration's layers around it.
  let session: any URLSessionProtocol
  let tokenManager: any WebServiceTokenManageable
  let reachability: any ReachabilityCheckable
  package let configuration: WebServiceConfiguration
  /// The configuration's base URL, parsed once for all requests.
  package let base: RequestURL.Base?
  /// The origin of the last request with an absolute URL, parsed once for all requests that follow with the same.
  let lastOrigin = Locked<URLOrigin?>(nil)
  /// The configuration's decoder, whose settings are read once for all requests: a `JSONDecoder` guards its settings
  /// with a lock, in which threads would meet.
  let decoder: FeatherJSONDecoder
  /// Whether requests pass layers on their way to the session.
  var hasLayers: Bool { !configuration.layers.isEmpty }
  /// Whether a layer may have a response without a network.
  var hasOfflineLayer: Bool { configuration.layers.contains { ($0 as? any EngineLayer)?.mayRespondOffline == true } }
  /// Makes the layers forget the user, in the step that changes the identity. Called with the lock held.
  let forgetUser: [@Sendable () -> Void]
  /// Whether a layer attaches credentials, so that every request belongs to a user.
  package var hasCredentialLayer: Bool { !forgetUser.isEmpty }
  var monitors: [any RequestMonitor] { configuration.monitors }
  /// Whether the session ends with the engine.
  var ownsSession: Bool { state.withLock { $0.ownsSession } }
  /// Whether the engine's own session connects to this machine alone.
  let isLocal: Bool
  /// Guards requests, identity and openness together: no request enters between a sign-out and its cancellations.
  let state = Locked(State())

  package init(
    session: (any URLSessionProtocol)?, tokenManager: any WebServiceTokenManageable,
    reachability: any ReachabilityCheckable, configuration: WebServiceConfiguration
  ) {
    isLocal = session == nil && configuration.transport.isLocal
    let session: any URLSessionProtocol =
      session?.guarded
      ?? state.withLock { state in
        let chosen = DefaultSession.ofService(configuration.transport)
        state.ownsSession = true
        // The handles of requests keep the state.
        if !configuration.monitors.isEmpty { state.unreportedSession = chosen }
        return chosen.session
      }
    base = RequestURL.base(configuration.baseURL)
    decoder = FeatherJSONDecoder(configuration.decoder)
    forgetUser = configuration.layers.compactMap { ($0 as? any EngineLayer)?.forgetUser }
    self.session = configuration.layers.wrap(session, for: LayerContext(configuration: configuration))
    self.tokenManager = tokenManager
    self.reachability = reachability
    self.configuration = configuration
  }

  deinit {
    guard ownsSession, isOpen else { return }
    // The last reference may be released on the session's own queue, where Foundation's session can't be invalidated.
    DispatchQueue.global(qos: .utility).enqueue { [session] in session.invalidateAndCancel() }
  }

  /// The service that the engine works for, or a new service if the app released the service while requests are in
  /// progress.
  var service: JsonWebService {
    // Token managers get a service to renew a token through, also when only the request is left.
    state.withLock { $0.service ?? JsonWebService(engine: self) }
  }

  /// Takes no new requests, and shuts down once the requests in progress have ended, or after this many seconds.
  func shutDown(within seconds: TimeInterval) async {
    let limit = min(max(0, seconds), TransportRequest.Timeouts.longest)
    _ = await configuration.clock.wait(limit) { wait in drain { wait.cancel() } }
    let end = close()
    end()
  }
}
