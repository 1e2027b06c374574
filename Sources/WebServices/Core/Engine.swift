import Dispatch
import Foundation
internal import WebServicesTransport

/// Holds what all requests of a service share: the session with its layers, the token manager, the registry of
/// requests. A service makes one, and each request retains the engine until it is delivered.
package final class Engine: Sendable {
  /// The session with the configuration's layers around it.
  let session: any URLSessionProtocol
  let tokenManager: any WebServiceTokenManageable
  let reachability: any ReachabilityCheckable
  package let configuration: WebServiceConfiguration
  /// The configuration's base URL, parsed once for all requests.
  package let base: RequestURL.Base?
  /// The configuration's decoder, whose settings are read once for all requests: a `JSONDecoder` guards its settings
  /// with a lock, in which threads would meet.
  let decoder: FeatherJSONDecoder
  /// Whether requests pass layers on their way to the session.
  let hasLayers: Bool
  /// Whether a layer may have a response without a network.
  let hasOfflineLayer: Bool
  /// Whether a layer attaches credentials, so that every request belongs to a user.
  package let hasCredentialLayer: Bool
  package let registry: RunRegistry
  let monitors: [any RequestMonitor]
  /// The session that the library chose, until the first request has told the monitors.
  private let unreportedSession = Locked<DefaultSession?>(nil)
  private let ownsSession: Bool
  /// Guards the reference to the service, which `service` may replace.
  private let serviceReference = Locked(ServiceReference())

  /// Refers to the service that the engine works for. Weak, because the service holds the engine.
  private struct ServiceReference: Sendable {
    weak var service: JsonWebService?
  }

  init(
    session: (any URLSessionProtocol)?, tokenManager: any WebServiceTokenManageable,
    reachability: any ReachabilityCheckable, configuration: WebServiceConfiguration
  ) {
    ownsSession = session == nil
    let session =
      session
      ?? unreportedSession.withLock { unreported in
        let chosen = DefaultSession.ofService(configuration.transport)
        unreported = chosen
        return chosen.session
      }
    base = RequestURL.base(configuration.baseURL)
    decoder = FeatherJSONDecoder(configuration.decoder)
    hasLayers = !configuration.layers.isEmpty
    let layers = configuration.layers.compactMap { $0 as? any EngineLayer }
    let forgetUser = layers.compactMap(\.forgetUser)
    hasCredentialLayer = !forgetUser.isEmpty
    registry = RunRegistry(origin: try? base?.get().origin.text) { forgetUser.forEach { $0() } }
    hasOfflineLayer = layers.contains(where: \.mayRespondOffline)
    var context = LayerContext(configuration: configuration, reachability: reachability)
    context.registry = registry
    self.session = configuration.layers.wrap(session, for: context)
    monitors = configuration.monitors
    self.tokenManager = tokenManager
    self.reachability = reachability
    self.configuration = configuration
  }

  deinit {
    guard ownsSession else { return }
    // The last reference may be released on the session's own queue, where Foundation's session can't be invalidated.
    DispatchQueue.global(qos: .utility).enqueue { [session] in session.invalidateAndCancel() }
  }

  /// The service that the engine works for, or a new service if the app released the service while requests are in
  /// progress.
  var service: JsonWebService {
    serviceReference.withLock { reference in
      if let service = reference.service { return service }
      // Token managers get a service to renew a token through, also when only the request is left.
      let service = JsonWebService(engine: self)
      reference.service = service
      return service
    }
  }

  /// The session that the library chose, for the monitors; `nil` after the first call, and for an injected session.
  func takeUnreportedSession() -> DefaultSession? { unreportedSession.withLock { $0.take() } }

  func setService(_ service: JsonWebService) { serviceReference.withLock { $0.service = service } }

  /// Takes no new requests, and shuts down once the requests in progress have ended, or after this many seconds.
  func shutDown(within seconds: TimeInterval) async {
    let _: Void = await awaited { done in
      let timer = configuration.clock.schedule(after: min(max(0, seconds), TransportRequest.Timeouts.longest)) {
        done(())
      }
      let end = WebServiceTask {
        timer.cancel()
        done(())
      }
      registry.drain { end.cancel() }
      return end
    }
    close()()
  }

  /// Takes no more requests.
  ///
  /// - Parameter invalidatingInjectedSession: whether a session that belongs to the app is invalidated too.
  /// - Returns: the closure that cancels the requests in progress and invalidates the session. Call it after unlocking.
  package func close(invalidatingInjectedSession: Bool = false) -> @Sendable () -> Void {
    let cancelRequests = registry.close()
    return { [self] in
      // Before the session is invalidated: each request then fails as cancelled, not with its session's error.
      cancelRequests()
      if ownsSession || invalidatingInjectedSession { session.invalidateAndCancel() }
    }
  }
}
