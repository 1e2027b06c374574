/// A layer of the library: a cache, cookies, shared transfers, a circuit breaker or limits. Make one with a member of
/// ``SessionLayer``, such as ``SessionLayer/cache(_:)``.
public struct LibraryLayer: EngineLayer {
  package var mayRespondOffline = false
  package var forgetUser: (@Sendable () -> Void)?
  /// Whether the layer attaches credentials, or distinguishes users by the credentials of a request.
  fileprivate var distinguishesUsers = false
  fileprivate let session: @Sendable (any URLSessionProtocol, LayerContext) -> any URLSessionProtocol

  /// Makes the session of the layer.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    session(next, service)
  }
}

extension SessionLayer where Self == LibraryLayer {
  /// Serves requests from a cache, which services may share, and stores the server's responses in it.
  public static func cache(_ cache: ResponseCache) -> LibraryLayer {
    LibraryLayer(mayRespondOffline: true, distinguishesUsers: true) { next, service in
      CacheSession(cache, next: next, service: service)
    }
  }

  /// Stores and sends cookies. Put the layer before ``SessionLayer/cache(_:)`` and ``SessionLayer/coalescing``, because
  /// both distinguish users by the sent credentials. After them, requests fail.
  public static func cookies(_ jar: CookieJar) -> LibraryLayer {
    LibraryLayer(forgetUser: jar.removeAll, distinguishesUsers: true) { next, service in
      // `wrap` can't throw, so a misplaced layer makes every request fail with an explanation.
      let keepsCookies = service.configuration.layers.compactMap { $0 as? LibraryLayer }
        .filter(\.distinguishesUsers).map { $0.forgetUser != nil }
      // Another jar in front doesn't help, because the key of a cache has no cookie of the jar behind it.
      return CookieSession(jar: jar, next: next, isMisplaced: keepsCookies.drop { $0 }.contains(true))
    }
  }

  /// Shares one transfer among equal requests that only read and are in flight at the same time, unless a request's
  /// options say otherwise.
  public static var coalescing: LibraryLayer { coalescing(byDefault: true) }

  /// Shares one transfer among equal requests that only read and are in flight at the same time.
  ///
  /// - Parameter byDefault: whether to share a request whose options don't say.
  public static func coalescing(byDefault: Bool) -> LibraryLayer {
    LibraryLayer(distinguishesUsers: true) { CoalescingSession(next: $0, service: $1, sharesByDefault: byDefault) }
  }

  /// Sends no requests for a while to a host that keeps failing. Such requests fail at once. Put the layer behind
  /// ``coalescing``, so that the end of a shared transfer counts even if some of its requests are cancelled.
  public static func circuitBreaker(_ policy: CircuitBreakerPolicy) -> LibraryLayer {
    LibraryLayer { CircuitBreakerSession(policy, next: $0, service: $1) }
  }

  /// Limits the requests to each host: how many are in flight, and how many are sent in a second. Requests also wait
  /// while the server accepts none. Waiting requests are sent by priority. Put the layer behind ``cache(_:)``: before
  /// it, a response of the cache waits for a permit too, and the layer doesn't see a 503 in whose place the cache
  /// delivers a stale response.
  public static func limits(_ limits: RequestLimits) -> LibraryLayer {
    LibraryLayer { LimitingSession(limits, next: $0, service: $1) }
  }
}
