/// Receives the progress of a transfer from the layers and the innermost session. It belongs to a `RequestRun`, or is
/// an object with which a layer watches the transfer. Any thread may call the methods, which return at once. No method
/// has a default here: a layer that forgot one would keep it from the layers before it.
package protocol TransferObserver: AnyObject, Sendable {
  /// The reason not to send the request any more. A layer asks for it right before it sends the request. A call that
  /// cancels many requests releases their permits. No such permit may go to a request that the call cancels next.
  func refusal() -> TransportError?
  /// Whether a time limit of the request ended the transfer before a good response began. The engine knows before it
  /// cancels, so a layer may ask once it gets the error `.cancelled`.
  var hasTimedOut: Bool { get }
  /// The request is sent, or a transfer that it shares: the timeout of the caller starts.
  func transferIsSent()
  /// The transfer has ended. Layers learn this before one of them releases a permit, so that the next request sees
  /// their records of this transfer.
  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>)
  /// An event for the monitors has happened.
  func transferDid(_ kind: RequestEvent.Kind)
  /// A layer has a stored response, which the caller gets if the timeout ends the transfer. The response is `nil` if it
  /// has become too old.
  func transferMayBeReplaced(by stored: @escaping @Sendable () -> WebServiceResponse?)
  /// A layer has attached these secrets to the request, or found them in its response. No description may show them.
  func transferCarries(secrets: [String])
}

/// The object with which a layer watches a transfer. It passes on every call that it doesn't implement.
package protocol WatchingObserver: TransferObserver {
  /// The observer of the layer before, or the request; `nil` outside of a service.
  var observer: (any TransferObserver)? { get }
}

extension WatchingObserver {
  package func refusal() -> TransportError? { observer?.refusal() }
  package var hasTimedOut: Bool { observer?.hasTimedOut ?? false }
  package func transferIsSent() { observer?.transferIsSent() }
  package func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) { observer?.transferDidEnd(result) }
  package func transferDid(_ kind: RequestEvent.Kind) { observer?.transferDid(kind) }
  package func transferMayBeReplaced(by stored: @escaping @Sendable () -> WebServiceResponse?) {
    observer?.transferMayBeReplaced(by: stored)
  }
  package func transferCarries(secrets: [String]) { observer?.transferCarries(secrets: secrets) }
}
