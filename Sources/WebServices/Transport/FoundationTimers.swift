import Foundation

/// The timeouts of one exchange, kept by the library itself.
final class FoundationTimers: Sendable {
  private struct State {
    var lastActivity: TimeInterval
    /// Added to `idle` until the first sign of an answer: the time that connecting may take.
    var allowance: TimeInterval
    var isHeld = false
    var isStopped = false
    var timers: [TransportError.Timeout: any WebServiceTimer] = [:]
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

  func begin() {
    if let whole = timeouts.whole {
      set(.whole, after: whole) { $0.onExpiry(.whole) }
    }
    if timeouts.idle != nil { lookForActivity() }
  }

  /// A byte came or went.
  func touch() {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.lastActivity = MonotonicTime.seconds
      state.allowance = 0
    }
  }

  /// Whether whoever takes the answer or makes the body holds the exchange up, which isn't idle.
  func hold(_ isHeld: Bool) {
    guard timeouts.idle != nil else { return }
    state.withLock { state in
      state.isHeld = isHeld
      state.lastActivity = MonotonicTime.seconds
    }
  }

  func stop() {
    let timers = state.withLock { state in
      state.isStopped = true
      defer { state.timers = [:] }
      return state.timers
    }
    timers.values.forEach { $0.cancel() }
  }

  private func lookForActivity() {
    guard let idle = timeouts.idle else { return }
    let remaining = state.withLock { state in
      let now = MonotonicTime.seconds
      if state.isHeld { state.lastActivity = now }
      return state.lastActivity + idle + state.allowance - now
    }
    guard remaining > 0 else { return onExpiry(.idle) }
    set(.idle, after: remaining) { $0.lookForActivity() }
  }

  private func set(
    _ timeout: TransportError.Timeout, after delay: TimeInterval,
    _ action: @escaping @Sendable (FoundationTimers) -> Void
  ) {
    let timer = SystemClock.shared.schedule(after: delay) { [weak self] in
      guard let self else { return }
      action(self)
    }
    let isStopped = state.withLock { state in
      if !state.isStopped { state.timers[timeout] = timer }
      return state.isStopped
    }
    if isStopped { timer.cancel() }
  }
}
