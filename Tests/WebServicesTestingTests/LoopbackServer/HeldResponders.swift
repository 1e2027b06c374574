import WebServicesTesting

/// Takes responders from handlers and gives them to the test, which waits for them.
final class HeldResponders: Sendable {
  private let stream: AsyncStream<LoopbackServer.Responder>
  private let continuation: AsyncStream<LoopbackServer.Responder>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func add(_ responder: LoopbackServer.Responder) {
    continuation.yield(responder)
  }

  func next() async -> LoopbackServer.Responder? {
    for await responder in stream { return responder }
    return nil
  }
}
