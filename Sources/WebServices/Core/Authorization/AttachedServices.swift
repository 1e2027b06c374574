/// Keeps the services that were made with a token manager. A sign-out cancels their requests, and a renewal may be sent
/// through one of them. The services hold the manager, so the manager holds the services weakly.
struct AttachedServices: Sendable {
  private struct Reference: Sendable {
    weak var service: (any JsonWebServiceable)?
    /// Lives until the last request of the service has ended, which may be after the service itself.
    weak var requests: (any AuthorizedRequestsCancelling)?
  }

  private var references: [Reference] = []
  /// The number of services that were ever attached.
  private var total = 0

  /// The services whose authorized requests can be cancelled, in the order in which they were attached.
  var cancellable: [any AuthorizedRequestsCancelling] { references.compactMap(\.requests) }

  /// The one service that was ever attached. `nil` when there were several: a guess could send a secret to another
  /// service's host.
  var only: (any JsonWebServiceable)? { total == 1 ? references.first?.service : nil }

  mutating func append(_ service: any JsonWebServiceable) {
    // An app may make services without end, so dead references go first.
    references.removeAll { $0.service == nil && $0.requests == nil }
    guard !references.contains(where: { $0.service === service }) else { return }
    total += 1
    let requests = (service as? any AuthorizedRequestsCancelling)?.authorizedRequests
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
  /// - Parameter ended: the service that the renewal went through so far, and that has ended.
  mutating func renewalService(insteadOf ended: (any JsonWebServiceable)?) -> (any JsonWebServiceable)? {
    if let ended {
      renewal?.services.removeAll { $0 === ended }
      // A named service has no substitute: another one has another host.
      return namedService == nil ? renewal?.services.first : nil
    }
    if let namedService { return namedService.service }
    return renewal?.services.first ?? services.only
  }

  /// - Returns: the renewal, to be ended and released after unlocking.
  mutating func takeRenewal() -> RenewalUnderWay? {
    defer { renewal = nil }
    return renewal
  }
}

/// A service that can cancel the requests with credentials of a user who signs out.
package protocol AuthorizedRequestsCancelling: AnyObject, Sendable {
  /// Cancels every request that carries or waits for a token. Once this method has returned, none of these requests
  /// succeeds any more.
  func cancelAuthorizedRequests()

  /// The object that cancels the same requests and lives as long as they do. It is the service itself unless requests
  /// may outlive the service.
  var authorizedRequests: any AuthorizedRequestsCancelling { get }
}

extension AuthorizedRequestsCancelling {
  /// The service itself.
  package var authorizedRequests: any AuthorizedRequestsCancelling { self }
}
