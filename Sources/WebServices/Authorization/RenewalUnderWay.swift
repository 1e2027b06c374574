/// A renewal that was sent, and the services whose requests wait for it.
struct RenewalUnderWay: Sendable {
  /// What the renewal has running.
  let handle: RenewalHandle
  /// In the order in which they asked. Requests of theirs wait, so that they are held here until the renewal is over.
  private(set) var services: [any JsonWebServiceable] = []

  mutating func add(_ service: (any JsonWebServiceable)?) {
    guard let service, !services.contains(where: { $0 === service }) else { return }
    services.append(service)
  }

  mutating func remove(_ service: any JsonWebServiceable) {
    services.removeAll { $0 === service }
  }
}

/// The service that renewals were set up with, held weakly.
struct NamedService: Sendable {
  private(set) weak var service: (any JsonWebServiceable)?

  init(_ service: any JsonWebServiceable) {
    self.service = service
  }
}

extension BasicAuthManager.State {
  /// What a renewal goes through now; `nil` where that can't be said.
  var renewalService: (any JsonWebServiceable)? {
    if let namedService { return namedService.service }
    return renewalUnderWay?.services.first ?? services.only
  }

  /// - Returns: what has to be ended and released outside the lock.
  mutating func takeRenewal() -> RenewalUnderWay? {
    defer { renewalUnderWay = nil }
    return renewalUnderWay
  }
}
