/// The handle of a request, which `sendRequest` returns. The request continues if you drop the handle.
public final class WebServiceTask: Sendable {
  private let onCancel: @Sendable () -> Void
  /// The request of an engine. The handle retains neither the request nor the engine, whose session ends with the last
  /// request: only the memory of the requests in progress. A weak reference would slow down every other reference to
  /// the object.
  private let request: (slot: Engine.Slot, requests: Locked<Engine.State>)?

  /// Creates a handle. Only fakes of ``JsonWebServiceable`` need to.
  ///
  /// - Parameter onCancel: called by each ``cancel()``, on the thread that cancels.
  public init(onCancel: @escaping @Sendable () -> Void = {}) {
    self.onCancel = onCancel
    request = nil
  }

  package init(_ slot: Engine.Slot?, in engine: Engine) {
    onCancel = {}
    request = slot.map { ($0, engine.state) }
  }

  /// Cancels the request. Its completion runs once, on its own queue, with an error of the kind `.cancelled`, unless
  /// the request has failed already. Does nothing after the completion has run. You may call this from any thread.
  public func cancel() {
    request.flatMap { slot, requests in requests.withLock { $0.runs[slot] } }?.interrupt(.cancelled)
    onCancel()
  }
}
