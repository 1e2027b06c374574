/// Fails a request at once if there was no network when the request was admitted.
///
/// Only the layer `.cache` makes this session, because a cache may have a response without a network. The engine then
/// waits for a network, if the request's policy says so, and sends the request again.
struct ConnectivitySession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard request.context.isOffline else { return next.transferTask(with: request, completion: completion) }
    return finishedTask(with: .failure(.noNetwork), completion: completion)
  }
}
