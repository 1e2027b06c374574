import Foundation

/// Keeps the timeouts of one transfer with the process's clock, because Foundation on Linux cuts them to whole seconds.
///
/// Call `begin` once, `noteActivity` for each byte, `setHeld` while the transfer isn't idle, and `stop` at the end.
final class FoundationTimers: Sendable {
  private struct State {
    var start: TimeInterval = 0
    var lastActivity: TimeInterval = 0
    /// Added to `idle` until the first sign of a response: the time that connecting may take.
    var allowance: TimeInterval
    /// Whether the receiver or the body's source holds the transfer up.
    var isHeld = false
    /// Whether the transfer has ended, so that no timer is set any more.
    var isStopped = false
    var timer: (any WebServiceTimer)?
  }

  private let timeouts: TransportRequest.Timeouts
  /// Guards the times and the timer, which events and the clock's queue change.
  private let state: Locked<State>

  init(_ timeouts: TransportRequest.Timeouts) {
    self.timeouts = timeouts
    state = Locked(State(allowance: timeouts.connect ?? 0))
  }

  /// The times since the start, where Foundation measures none.
  func metrics(firstByte: TimeInterval?) -> WebServiceResponse.Metrics {
    let start = state.withLock { $0.start }
    return WebServiceResponse.Metrics(firstByte: firstByte.map { $0 - start }, total: MonotonicTime.seconds - start)
  }

  /// A byte was sent or received.
  func noteActivity() {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.lastActivity = MonotonicTime.seconds
      state.allowance = 0
    }
  }

  /// Tells whether the receiver of the response or the source of the body holds the transfer up. It isn't idle then.
  func setHeld(_ isHeld: Bool) {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.isHeld = isHeld
      state.lastActivity = MonotonicTime.seconds
    }
  }

  /// Starts the timeouts.
  ///
  /// - Parameter onExpiry: called at most once, on the queue of the clock.
  func begin(onExpiry: @escaping @Sendable (TransportError.Timeout) -> Void) {
    state.withLock { state in
      state.start = MonotonicTime.seconds
      state.lastActivity = state.start
    }
    reportExpiryOrWait(onExpiry)
  }

  /// Cancels the timer, which retains the transfer's closure.
  func stop() {
    let timer = state.withLock { state in
      state.isStopped = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  /// Reports the timeout that has expired, or sets a timer for the next one.
  private func reportExpiryOrWait(_ onExpiry: @escaping @Sendable (TransportError.Timeout) -> Void) {
    let (expired, delay) = state.withLock { state -> (TransportError.Timeout?, TimeInterval) in
      let now = MonotonicTime.seconds
      if state.isHeld { state.lastActivity = now }
      let whole = timeouts.whole.map { state.start + $0 } ?? .infinity
      let idle = timeouts.idle.map { state.lastActivity + $0 + state.allowance } ?? .infinity
      return (now >= whole ? .whole : now >= idle ? .idle : nil, min(whole, idle) - now)
    }
    if let expired { return onExpiry(expired) }
    guard delay.isFinite else { return }
    let timer = SystemClock.shared.schedule(after: delay) { [weak self] in self?.reportExpiryOrWait(onExpiry) }
    // `stop()` may have been called since, and found no timer.
    let isStopped = state.withLock { state in
      if !state.isStopped { state.timer = timer }
      return state.isStopped
    }
    if isStopped { timer.cancel() }
  }
}
