/// The services that were made with a manager. They hold it, so it must not hold them.
struct AttachedServices: Sendable {
  private struct Reference: Sendable {
    weak var service: (any JsonWebServiceable)?
    /// Lives until the last request of the service has ended, which may be after the service itself.
    weak var requests: (any AuthorizedRequestsCancelling)?
  }

  private var references: [Reference] = []
  /// Counts all services that were ever attached.
  private var total = 0

  /// Those whose authorized requests can be cancelled, in the order in which they were made.
  var cancellable: [any AuthorizedRequestsCancelling] { references.compactMap(\.requests) }

  /// The one service that was ever attached; `nil` where there were several: a guess could send a secret to another
  /// service's host.
  var only: (any JsonWebServiceable)? { total == 1 ? references.first?.service : nil }

  mutating func append(_ service: any JsonWebServiceable) {
    references.removeAll { $0.service == nil && $0.requests == nil }
    guard !references.contains(where: { $0.service === service }) else { return }
    total += 1
    let requests = (service as? any AuthorizedRequestsCancelling)?.authorizedRequests
    references.append(Reference(service: service, requests: requests))
  }
}
