import Foundation

/// What an exchange has to know of the request that it is for.
struct ExchangeContext: Sendable {
  var priority = RequestPriority.normal
  var cachePolicy = CachePolicy.useCache
  var connectivity = ConnectivityPolicy.failAtOnce
  var coalesces = false
  /// Whether there was no network when the request set out: only a cache can help then, or patience.
  var isOffline = false
  /// The header fields of the credentials.
  var credentialNames: [String] = []
  /// Asked when the request is about to go out, which may be long after it was made: others end meanwhile, and leave
  /// their places to it.
  var mayBeSent: @Sendable () -> Bool = { true }
  /// Called when the request goes out, itself or as part of an equal one, the time in queues over.
  var onSent: @Sendable () -> Void
  /// Takes what happens on the way.
  var record: @Sendable (RequestEvent.Kind) -> Void
}
