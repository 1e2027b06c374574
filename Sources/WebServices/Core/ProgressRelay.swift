import Dispatch

/// Passes progress from a transport's thread to a queue for the caller's handler, which may block. During a call of the
/// handler only the latest value is kept. The last call ends before the request completes.
final class ProgressRelay: Sendable {
  /// A queue of its own, so that a slow handler of one request delays no other.
  private let queue = DispatchQueue(label: "WebServices.Progress", qos: .userInitiated)
  private let handler: @Sendable (TransportRequest.Progress) -> Void
  /// Guards the value for the next call, and the number of the transfer that reports. The handler runs after unlocking.
  private let state = Locked<(next: TransportRequest.Progress?, transfer: Int)>((nil, 0))

  init(_ handler: @escaping @Sendable (TransportRequest.Progress) -> Void) { self.handler = handler }

  /// Passes a value on, unless a later transfer has reported or the request is over.
  func report(_ progress: TransportRequest.Progress, ofTransfer transfer: Int) {
    let needsCall = state.withLock { transfer >= $0.transfer && exchange(&$0, with: (progress, transfer)).next == nil }
    if needsCall { queue.enqueue { [self] in callHandler() } }
  }

  /// Runs the completion of the request after the last call of the handler. Later values are dropped.
  func finish(_ completion: @escaping @Sendable () -> Void) {
    state.withLock { $0.transfer = .max }
    queue.enqueue { [self] in
      // A thread that has just reported may not have reached the queue yet.
      callHandler()
      completion()
    }
  }

  /// Drops the value that waits, and later ones. The reader of a stream may end it while the transfer goes on.
  func stop() { state.withLock { $0 = (nil, .max) } }

  private func callHandler() { if let progress = state.withLock({ $0.next.take() }) { handler(progress) } }
}
