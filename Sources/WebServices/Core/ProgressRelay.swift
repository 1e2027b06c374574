import Dispatch

/// Passes progress from a transport's thread to the queue of the caller's handler, one call at a time. During a call
/// only the latest value is kept.
final class ProgressRelay: Sendable {
  /// Concurrent, so that a slow handler of one request delays no other.
  private static let queue = DispatchQueue(label: "WebServices.Progress", qos: .utility, attributes: .concurrent)

  private struct State {
    var latest: TransportRequest.Progress?
    /// Whether a block of the queue passes values on.
    var isRunning = false
  }

  private let handler: @Sendable (TransportRequest.Progress) -> Void
  /// Guards the latest value. The handler runs after unlocking.
  private let state = Locked(State())

  init(_ handler: @escaping @Sendable (TransportRequest.Progress) -> Void) {
    self.handler = handler
  }

  /// Passes a value on.
  func report(_ progress: TransportRequest.Progress) {
    let starts = state.withLock { state in
      state.latest = progress
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    Self.queue.enqueue { [self] in
      while let progress = takeLatest() { handler(progress) }
    }
  }

  private func takeLatest() -> TransportRequest.Progress? {
    state.withLock { state in
      defer { state.latest = nil }
      // Decided with the lock held: a value that comes after this starts another block.
      state.isRunning = state.latest != nil
      return state.latest
    }
  }
}
