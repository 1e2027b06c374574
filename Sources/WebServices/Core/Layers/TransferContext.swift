internal import WebServicesTransport

/// The facts about a request that the engine passes to the layers, besides the request's options. Layers read them as
/// `request.context`.
@usableFromInline package struct TransferContext: Sendable {
  /// The service that sends the request; `nil` outside of a service.
  package var engine: Engine?
  /// The request that waits for the transfer; `nil` outside of a service.
  package var observer: (any TransferObserver)?
  /// The user that the request is sent for.
  package var identity = Engine.Identity.none
  /// The header fields that carry credentials.
  package var credentialNames: [String] = []
  /// Whether an app's scheme made the credentials for this request alone, so that equal requests have other ones.
  package var isSigned = false
  /// Whether an earlier attempt has failed. A cache then must not deliver a stored copy of the same failure.
  package var isRetry = false
  /// Whether there was no network when the request was admitted.
  package var isOffline = false
  /// The number of the last change of the URL that a cache knew, or their sum. A request shares no transfer from before
  /// a change, because the cache would store an outdated response.
  package var lastChange: UInt64 = 0

  /// The facts about a request outside of a service.
  @usableFromInline static let none = TransferContext()
}

extension TransportRequest {
  var isIdempotent: Bool { options.isIdempotent(method, headers) }

  /// The host that limits and circuits are kept for, in lower case, with its port if that isn't the scheme's own.
  package var host: String { target?.origin.hostAndPort ?? "" }

  /// The facts about the request that the engine passes to the layers.
  // Inlined, so that a layer that reads one fact copies no other.
  @usableFromInline package var context: TransferContext {
    @inlinable get { (attachment as? Boxed<TransferContext>.Box)?.value ?? TransferContext.none }
    set { attachment = Boxed<TransferContext>.Box(newValue) }
  }
}

extension TransportError {
  /// The error of a request that found no network.
  package static let noNetwork = TransportError(.notConnected, waitingFor: .network)

  /// Whether a layer or the session refused to send the request. A retry would be refused for the same reason.
  var isRefusal: Bool { kind == .refusedBySession || underlying is TransportConfiguration.InvalidSetting }
}
