/// The handle on a request that `sendRequest` returns. It can be dropped: the request goes on without it.
public final class WebServiceTask: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Creates a handle. Only fakes of `JsonWebServiceable` need to.
  ///
  /// - Parameter onCancel: what `cancel()` calls, each time.
  public init(onCancel: @escaping @Sendable () -> Void = {}) {
    self.onCancel = onCancel
  }

  /// A handle that holds nothing of the request: a weak reference to it would make every other one dearer.
  package convenience init(_ slot: RunRegistry.Slot?, in registry: RunRegistry) {
    guard let slot else {
      self.init()
      return
    }
    self.init { registry[slot]?.interrupt(.cancelled) }
  }

  /// Ends the request: its completion is given an error of kind `.cancelled`, once and on its own queue. After the
  /// completion has run this does nothing. Any thread may call it.
  public func cancel() {
    onCancel()
  }
}
