import Foundation

/// One request's wait for the network.
final class ConnectivityWait: Sendable {
  fileprivate struct State {
    var completion: (@Sendable (Bool) -> Void)?
    var timer: (any WebServiceTimer)?
    var checks = 0
  }

  private let policy: ConnectivityPolicy
  private let reachability: ReachabilityProbe
  private let clock: any WebServiceClock
  private let start: TimeInterval
  private let state: Locked<State>

  /// Begins to wait if there is no network.
  ///
  /// - Parameter completion: called once, with whether there is a network. It runs before this returns, on a thread of the
  ///   clock's or on the queue for an app's code; never after `cancel()`.
  init(
    _ policy: ConnectivityPolicy, reachability: ReachabilityProbe, clock: any WebServiceClock,
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
  func cancel() {
    let (completion, timer) = state.withLock { $0.end() }
    timer?.cancel()
    _ = completion
  }

  private func check() {
    reachability.ask { [self] in take(isConnected: $0) }
  }

  private func take(isConnected: Bool) {
    guard !isConnected, let delay = policy.delayBeforeNextCheck(waited: clock.now - start) else {
      let (completion, timer) = state.withLock { $0.end() }
      timer?.cancel()
      completion?(isConnected)
      return
    }
    let number = state.withLock { state in
      state.checks += 1
      return state.checks
    }
    let timer = clock.schedule(after: delay) { [self] in check() }
    let isObsolete = state.withLock { state in
      guard state.completion != nil else { return true }
      // The timer may have fired already and set the next one.
      if state.checks == number { state.timer = timer }
      return false
    }
    if isObsolete { timer.cancel() }
  }
}

extension ConnectivityWait.State {
  fileprivate mutating func end() -> ((@Sendable (Bool) -> Void)?, (any WebServiceTimer)?) {
    defer {
      completion = nil
      timer = nil
    }
    return (completion, timer)
  }
}
