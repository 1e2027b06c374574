import WebServices

extension LoopbackServer {
  /// Answers one request later, from any thread. A responder that goes without having answered answers 500.
  public final class Responder: Sendable {
    private let deliver: Locked<(@Sendable (Answer) -> Void)?>

    init(_ deliver: @escaping @Sendable (Answer) -> Void) {
      self.deliver = Locked(deliver)
    }

    /// Answers the request; the first call counts.
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
      send(.text("The handler gave no answer.", status: 500))
    }
  }
}
