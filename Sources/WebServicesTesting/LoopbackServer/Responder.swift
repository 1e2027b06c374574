import WebServices

extension LoopbackServer {
  /// Responds to one request, at any time and from any thread. A responder that is released without a response sends
  /// status 500.
  public final class Responder: Sendable {
    private let deliver: Locked<(@Sendable (Answer) -> Void)?>

    init(_ deliver: @escaping @Sendable (Answer) -> Void) {
      self.deliver = Locked(deliver)
    }

    /// Sends the response. Only the first call has an effect.
    ///
    /// - Returns: whether this was the first call.
    @discardableResult
    public func send(_ answer: Answer) -> Bool {
      let deliver = deliver.withLock { current in
        defer { current = nil }
        return current
      }
      deliver?(answer)
      return deliver != nil
    }

    deinit {
      send(.text("The handler sent no response.", status: 500))
    }
  }
}
