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
  /// Whether an attempt before has failed: what a cache stored of such a failure is no help.
  var isRetry: Bool
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
  /// Whom the request is sent for.
  var identity: RunRegistry.Identity { get }
  /// Whether the request may still go to the network. It is asked after each wait: during a bulk cancel a freed place
  /// must not go to a request that is about to be cancelled too.
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

  var identity: RunRegistry.Identity { owner.identity }
  var mayBeSent: Bool { owner.mayBeSent }
  func exchangeWasSent() {}
  func exchangeDid(_ kind: RequestEvent.Kind) {}
}
