/// Wraps a session to change how requests reach the network. A layer can share, delay, sign or count requests, or
/// respond to them itself.
///
/// The first layer in a configuration's ``WebServiceConfiguration/layers`` sees a request first and its response last.
/// The library's own layers are ``cookies(_:)``, ``cache(_:)``, ``coalescing``, ``circuitBreaker(_:)`` and
/// ``limits(_:)``. Your own layer makes a ``WrappingSession``; <doc:AddingLayers> has samples.
public protocol SessionLayer: Sendable {
  /// Makes the session that requests are sent to instead of `next`. A service calls this once.
  ///
  /// - Parameters:
  ///   - next: the session that the layer passes requests on to.
  ///   - service: values of the service that the session works for.
  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol
}

/// A layer of the library, which tells the engine what it does besides wrapping a session.
package protocol EngineLayer: SessionLayer {
  /// Whether the layer may respond without a network, such as a cache. Without a network, a safe request still reaches
  /// the layers of a service that has such a layer.
  var mayRespondOffline: Bool { get }
  /// Forgets the credentials that the layer attaches: the user has signed out, or the service is shut down. `nil` for a
  /// layer without credentials of its own; with them, every request of the service belongs to the user who is signed
  /// in, also a request that needs no token. The engine holds a lock during the call, so the closure must call nothing
  /// outside the layer.
  var forgetUser: (@Sendable () -> Void)? { get }
}

extension [any SessionLayer] {
  /// Composes the layers around a session. Without a layer it returns the session itself, so that requests pass through
  /// no extra object.
  func wrap(_ session: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    // The last layer wraps first, so that the first layer is the outermost session.
    isEmpty ? session : reversed().reduce(OutboundSession(next: session)) { $1.wrap($0, for: service) }
  }
}
