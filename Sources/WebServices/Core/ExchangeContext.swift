/// What an exchange has to know of the request that it is for.
final class ExchangeContext: Sendable {
  let priority: RequestPriority
  let cachePolicy: CachePolicy
  let connectivity: ConnectivityPolicy
  let coalesces: Bool
  /// Whether there was no network when the request set out: only a cache can help then, or patience.
  let isOffline: Bool
  /// The header fields of the credentials.
  let credentialNames: [String]
  let owner: any ExchangeOwner

  init(
    priority: RequestPriority, cachePolicy: CachePolicy, connectivity: ConnectivityPolicy, coalesces: Bool,
    isOffline: Bool, credentialNames: [String], owner: any ExchangeOwner
  ) {
    self.priority = priority
    self.cachePolicy = cachePolicy
    self.connectivity = connectivity
    self.coalesces = coalesces
    self.isOffline = isOffline
    self.credentialNames = credentialNames
    self.owner = owner
  }

  /// The same for an exchange that nobody waits for.
  var inBackground: ExchangeContext {
    ExchangeContext(
      priority: .low, cachePolicy: cachePolicy, connectivity: connectivity, coalesces: coalesces, isOffline: isOffline,
      credentialNames: credentialNames, owner: SilentOwner(owner: owner))
  }
}

/// Whose an exchange is.
protocol ExchangeOwner: AnyObject, Sendable {
  /// Asked when the request is about to go out, which may be long after it was made: others end meanwhile, and leave
  /// their places to it.
  var mayBeSent: Bool { get }
  /// The request goes out, itself or as part of an equal one: the time in queues is over.
  func exchangeWasSent()
  /// Something happened on the way.
  func exchangeDid(_ kind: RequestEvent.Kind)
}

/// Is told nothing.
private final class SilentOwner: ExchangeOwner {
  private let owner: any ExchangeOwner

  init(owner: any ExchangeOwner) {
    self.owner = owner
  }

  var mayBeSent: Bool { owner.mayBeSent }
  func exchangeWasSent() {}
  func exchangeDid(_ kind: RequestEvent.Kind) {}
}
