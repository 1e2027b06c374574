/// Makes a request wait for a network, or fails it, if there was none when the request was admitted.
///
/// Only the layer `.cache` makes this session, because a cache may have a response without a network. Without such a layer
/// the engine waits for a network before it authorizes a request.
final class ConnectivitySession: WrappingSession {
  let next: any URLSessionProtocol
  private let service: LayerContext

  init(next: any URLSessionProtocol, service: LayerContext) {
    self.next = next
    self.service = service
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard request.context.isOffline else { return next.transferTask(with: request, completion: completion) }
    let policy = request.options.connectivity ?? service.configuration.connectivity
    return HeldTask(completion) { [next, service] task in
      if policy != .failAtOnce { request.context.observer?.transferDid(.waiting(.connectivity)) }
      task.wait(
        for: ConnectivityWait(policy, reachability: service.reachability, clock: service.clock) { isConnected in
          // The policy waits no longer for a network.
          guard isConnected else { return task.finish(.failure(.noNetwork)) }
          task.send(request, to: next) { task.finish($0) }
        })
    }
  }
}

extension ConnectivityWait: TransferWait {
  package func endWait() -> UnsentReason? {
    cancel()
    return .network
  }
}
