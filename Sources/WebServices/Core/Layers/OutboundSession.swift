/// The innermost session of a service with layers. It tells the engine that a request is sent, and makes sure that
/// every session runs a completion only once.
struct OutboundSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    let observer = request.context.observer
    return HeldTask { result in
      observer?.transferDidEnd(result)
      completion(result)
    } begin: { [next] task in
      if let refusal = observer?.refusal() { return task.finish(.failure(refusal)) }
      observer?.transferIsSent()
      observer?.transferDid(.sent)
      task.send(request, to: next) { task.finish($0) }
    }
  }
}
