import Dispatch

/// Takes progress from a transport's thread to a queue, where a caller's code may run. What comes while that code runs is
/// left out but for the last value.
final class ProgressRelay: Sendable {
  private struct State {
    var latest: TransportProgress?
    var isRunning = false
  }

  private static let queue = DispatchQueue(label: "WebServices.Progress", qos: .utility, attributes: .concurrent)

  private let handler: @Sendable (TransportProgress) -> Void
  private let state = Locked(State())

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
