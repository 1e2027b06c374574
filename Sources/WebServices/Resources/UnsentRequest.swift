import Dispatch

/// Ends a request that never came to the engine as one that did: once, on the queue that was named, after the call that
/// started it.
enum UnsentRequest {
  static func end<Value: Sendable>(
    with error: WebServiceError, on callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    callbackQueue.async { completion(.failure(error)) }
    return WebServiceTask()
  }
}
