import Foundation

/// Waits for the network for one request. Create it to begin the wait, and call `cancel()` to end it early.
package final class ConnectivityWait: Sendable {
  private struct State {
    /// `nil` once the wait has ended.
    var completion: (@Sendable (Bool) -> Void)?
    var timer: (any WebServiceTimer)?
    /// The number of timers that were set. A timer may fire, and set the next timer, before it is stored: it must not
    /// replace the next timer then.
    var timerCount = 0
  }

  private let policy: ConnectivityPolicy
  private let reachability: any ReachabilityCheckable
  private let clock: any WebServiceClock
  private let start: TimeInterval
  /// Guards the completion and the timer. Both are called or released after unlocking.
  private let state: Locked<State>

  /// Begins to wait if there is no network.
  ///
  /// - Parameter completion: called once, with whether there is a network, and never after `cancel()`. It may run
  ///   before this initializer returns. It runs on this thread or on one of the clock's.
  package init(
    _ policy: ConnectivityPolicy, reachability: any ReachabilityCheckable, clock: any WebServiceClock,
    completion: @escaping @Sendable (Bool) -> Void
  ) {
    self.policy = policy
    self.reachability = reachability
    self.clock = clock
    start = clock.now
    state = Locked(State(completion: completion))
    check()
  }

  /// Ends the wait. The completion doesn't run any more.
  package func cancel() { _ = endWait() }

  /// Ends the wait and cancels its timer.
  ///
  /// - Returns: the completion, to be called or released after unlocking; `nil` if the wait had ended.
  private func endWait() -> (@Sendable (Bool) -> Void)? {
    let (completion, timer) = state.withLock { state in
      defer { (state.completion, state.timer) = (nil, nil) }
      return (state.completion, state.timer)
    }
    timer?.cancel()
    return completion
  }

  private func check() {
    let isConnected = reachability.isConnected()
    guard !isConnected, let delay = policy.delayBeforeNextCheck(waited: clock.now - start) else {
      endWait()?(isConnected)
      return
    }
    checkAgain(after: delay)
  }

  private func checkAgain(after delay: TimeInterval) {
    let number = state.withLock { state in
      state.timerCount += 1
      return state.timerCount
    }
    let timer = clock.schedule(after: delay) { [self] in check() }
    // The wait may have ended since, and this timer may have fired and set the next one.
    let isObsolete = state.withLock { state in
      guard state.completion != nil else { return true }
      if state.timerCount == number { state.timer = timer }
      return false
    }
    if isObsolete { timer.cancel() }
  }
}
