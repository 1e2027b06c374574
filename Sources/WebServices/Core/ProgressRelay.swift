import Dispatch

/// Passes progress from a transport's thread to a queue, where the caller's handler runs, one call at a time. While it
/// runs, only the latest value waits.
final class ProgressRelay: Sendable {
  private static let queue = DispatchQueue(label: "WebServices.Progress", qos: .utility, attributes: .concurrent)

  private let handler: @Sendable (TransportProgress) -> Void
  private let state = Locked<(latest: TransportProgress?, isRunning: Bool)>((nil, false))

  init(_ handler: @escaping @Sendable (TransportProgress) -> Void) {
    self.handler = handler
  }

  func report(_ progress: TransportProgress) {
    let starts = state.withLock { state in
      state.latest = progress
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { Self.queue.async { self.drain() } }
  }

  private func drain() {
    while let progress = takeLatest() { handler(progress) }
  }

  private func takeLatest() -> TransportProgress? {
    state.withLock { state in
      defer { state.latest = nil }
      state.isRunning = state.latest != nil
      return state.latest
    }
  }
}
