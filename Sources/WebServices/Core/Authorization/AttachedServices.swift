/// Keeps the services that were made with a token manager. A sign-out ends their requests, and a renewal may be sent
/// through one of them. The services hold the manager, so the manager holds the services weakly.
struct AttachedServices: Sendable {
  private struct Reference: Sendable {
    weak var service: (any JsonWebServiceable)?
    /// Lives until the last request of the service has ended, which may be after the service itself.
    weak var requests: (any UserRequests)?
  }

  private var references: [Reference] = []

  /// The requests of the services, in the order in which they were attached.
  var requests: [any UserRequests] { references.compactMap(\.requests) }

  /// The service that was attached first, of those that live.
  var first: (any JsonWebServiceable)? { references.lazy.compactMap(\.service).first }

  mutating func append(_ service: any JsonWebServiceable) {
    // An app may make services without end, so dead references go first.
    references.removeAll { $0.service == nil && $0.requests == nil }
    guard !references.contains(where: { $0.service === service }) else { return }
    let requests = (service as? JsonWebService)?.engine ?? service as? any UserRequests
    references.append(Reference(service: service, requests: requests))
  }
}

/// Holds the resources of a renewal of the token: its timeout, its request, and the services whose requests wait for
/// the token. Call `end()` when the renewal is over.
struct RenewalUnderWay: Sendable {
  /// Cancels the timeout of the renewal.
  let timer = TaskCancellation()
  /// Cancels the request that was sent last.
  let request = TaskCancellation()
  /// The services in the order in which they asked. They are retained, because the app may have released a service
  /// whose request waits.
  var services: [any JsonWebServiceable] = []

  mutating func add(_ service: (any JsonWebServiceable)?) {
    guard let service, !services.contains(where: { $0 === service }) else { return }
    services.append(service)
  }

  /// Cancels the timer and the request.
  func end() {
    timer.cancel()
    request.cancel()
  }
}

extension BasicAuthManager.State {
  /// The service for the requests of a renewal; `nil` when the right one isn't known.
  ///
  /// - Parameters:
  ///   - isRelative: whether the URL of the request depends on the service.
  ///   - ended: the service that the renewal went through so far, and that has ended.
  ///   - origins: the origins of the services that are in use.
  mutating func renewalService(
    isRelative: Bool, insteadOf ended: (any JsonWebServiceable)?, origins: Set<String>
  ) -> (any JsonWebServiceable)? {
    // A named service has no substitute: another one has another host.
    if let namedService { return ended == nil ? namedService.service : nil }
    guard !isRelative || origins.count < 2 else { return nil }
    guard let ended else { return renewal?.services.first ?? services.first }
    renewal?.services.removeAll { $0 === ended }
    return renewal?.services.first
  }

  /// - Returns: the renewal, to be ended and released after unlocking.
  mutating func takeRenewal() -> RenewalUnderWay? {
    defer { renewal = nil }
    return renewal
  }
}

/// The requests that a service sends for the user who is signed in.
package protocol UserRequests: AnyObject, Sendable {
  /// Ends the identity of the user. From now on none of these requests is sent, and none succeeds. A token manager holds
  /// its lock during the call, so the method calls nothing outside the library.
  ///
  /// - Returns: the closure that cancels the requests. Call it after unlocking.
  func endIdentity() -> @Sendable () -> Void

  /// The origin that relative URLs belong to; `nil` if the service can't send a relative URL, or was shut down.
  var origin: String? { get }
}
