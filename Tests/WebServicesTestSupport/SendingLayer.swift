@testable import WebServicesCore

/// A layer that sends each request by a closure, which gets the session of the layer.
struct SendingLayer: SessionLayer {
  let send:
    @Sendable (TransportRequest, any WrappingSession, @escaping HeldTask.Completion) -> any URLSessionTaskProtocol

  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    Session(next: next, layer: self)
  }

  private struct Session: WrappingSession {
    let next: any URLSessionProtocol
    let layer: SendingLayer

    func transferTask(
      with request: TransportRequest, completion: @escaping HeldTask.Completion
    ) -> any URLSessionTaskProtocol { layer.send(request, self, completion) }
  }
}
