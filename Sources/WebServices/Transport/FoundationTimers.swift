import Foundation

/// Keeps the timeouts of one transfer, since Foundation keeps them to the second.
final class FoundationTimers: Sendable {
  private struct State {
    var lastActivity: TimeInterval
    /// Added to `idle` until the first sign of a response: the time that connecting may take.
    var allowance: TimeInterval
    var isHeld = false
    var isStopped = false
    var timer: (any WebServiceTimer)?
  }

  let start = MonotonicTime.seconds
  private let timeouts: TransportTimeouts
  private let onExpiry: @Sendable (TransportError.Timeout) -> Void
  private let state: Locked<State>

  init(_ timeouts: TransportTimeouts, onExpiry: @escaping @Sendable (TransportError.Timeout) -> Void) {
    self.timeouts = timeouts
    self.onExpiry = onExpiry
    state = Locked(State(lastActivity: start, allowance: timeouts.connect ?? 0))
  }

  /// A byte was sent or received.
  func touch() {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.lastActivity = MonotonicTime.seconds
      state.allowance = 0
    }
  }

  /// Says whether the receiver of the response or the source of the body holds the transfer up, which isn't idle then.
  func hold(_ isHeld: Bool) {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.isHeld = isHeld
      state.lastActivity = MonotonicTime.seconds
    }
  }

  func stop() {
    let timer = state.withLock { state in
      state.isStopped = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  /// Tells the timeout that has run out, or sets a timer for the next one.
  func begin() {
    let (expired, delay) = state.withLock { state -> (TransportError.Timeout?, TimeInterval) in
      let now = MonotonicTime.seconds
      if state.isHeld { state.lastActivity = now }
      let whole = timeouts.whole.map { start + $0 } ?? .infinity
      let idle = timeouts.idle.map { state.lastActivity + $0 + state.allowance } ?? .infinity
      return (now >= whole ? .whole : now >= idle ? .idle : nil, min(whole, idle) - now)
    }
    if let expired { return onExpiry(expired) }
    guard delay.isFinite else { return }
    let timer = SystemClock.shared.schedule(after: delay) { [weak self] in self?.begin() }
    let isStopped = state.withLock { state in
      if !state.isStopped { state.timer = timer }
      return state.isStopped
    }
    if isStopped { timer.cancel() }
  }
}
