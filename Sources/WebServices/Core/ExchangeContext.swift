/// What an exchange has to know of the request that it is for.
struct ExchangeContext: Sendable {
  var priority: RequestPriority
  var cachePolicy: CachePolicy
  var connectivity: ConnectivityPolicy
  var coalesces: Bool
  /// Whether there was no network when the request set out: only a cache can help then, or patience.
  var isOffline: Bool
  /// The header fields of the credentials.
  var credentialNames: [String]
  var owner: any ExchangeOwner

  /// The same for an exchange that nobody waits for.
  var inBackground: ExchangeContext {
    var context = self
    context.priority = .low
    // No engine's timer ends it: only one that is not shared has the timeout of its transport.
    context.coalesces = false
    context.owner = SilentOwner(owner: owner)
    return context
  }
}

/// Whose an exchange is.
protocol ExchangeOwner: AnyObject, Sendable {
  /// Asked when the request is given a place that it waited for: it may be that of one that ends with it.
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
