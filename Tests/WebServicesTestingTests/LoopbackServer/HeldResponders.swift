import WebServicesTestSupport

/// Holds the responders of handlers, so that a test can wait for them and respond later.
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
