/// The handle of a request, which `sendRequest` returns. The request continues if you drop the handle.
public final class WebServiceTask: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Creates a handle. Only fakes of ``JsonWebServiceable`` need to.
  ///
  /// - Parameter onCancel: called by each ``cancel()``, on the thread that cancels.
  public init(onCancel: @escaping @Sendable () -> Void = {}) { self.onCancel = onCancel }

  /// A handle that retains neither the request nor the engine, whose session ends with the last request: only the memory
  /// of the requests in progress. A weak reference would slow down every other reference to the object.
  package convenience init(_ slot: Engine.Slot?, in engine: Engine) {
    self.init { [requests = engine.state] in
      slot.flatMap { slot in requests.withLock { $0.runs[slot] } }?.interrupt(.cancelled)
    }
  }

  /// Cancels the request. Its completion runs once, on its own queue, with an error of the kind `.cancelled`. Does
  /// nothing after the completion has run. You may call this from any thread.
  public func cancel() { onCancel() }
}
