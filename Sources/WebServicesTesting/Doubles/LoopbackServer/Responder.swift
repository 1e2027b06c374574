import WebServicesCore

extension LoopbackServer {
  /// Responds to one request, at any time and from any thread. A responder that is released without a response sends
  /// status 500.
  public final class Responder: Sendable {
    /// The action that sends the response; `nil` after the first response. It is called without the lock.
    private let deliver: Locked<(@Sendable (Response) -> Void)?>

    init(_ deliver: @escaping @Sendable (Response) -> Void) {
      self.deliver = Locked(deliver)
    }

    /// Sends the response. Only the first call has an effect.
    ///
    /// - Returns: whether this was the first call.
    @discardableResult
    public func send(_ response: Response) -> Bool {
      let deliver = deliver.withLock { current in
        defer { current = nil }
        return current
      }
      deliver?(response)
      return deliver != nil
    }

    deinit {
      send(.text("The handler sent no response.", status: 500))
    }
  }
}
