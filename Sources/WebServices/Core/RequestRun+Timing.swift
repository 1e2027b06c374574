import Foundation

extension RequestRun {
  // MARK: Timers

  // They hold the run, as its service does until it is delivered, which is when they are cancelled: a weak reference
  // would make every other one dearer.

  /// - Parameter isNeeded: whether the time counts from here.
  func startTimer(where isNeeded: (RequestRunState) -> Bool = { _ in true }) {
    let found: (TimeInterval?, Int)? = state.withLock { state in
      guard isNeeded(state) else { return nil }
      return (state.request?.timeouts.whole ?? state.request?.timeouts.idle, state.machine.attempt)
    }
    guard let (timeout, attempt) = found else { return }
    let timer = engine.configuration.clock.schedule(after: timeout ?? engine.configuration.timeout) { [self] in
      timeOut(attempt: attempt)
    }
    keep(timer) { $0.machine.isWaiting }
  }

  /// Keeps a timer in place of the one before, unless the run has gone on.
  func keep(_ timer: any WebServiceTimer, while isWanted: (RequestRunState) -> Bool) {
    var obsolete: (any WebServiceTimer)? = timer
    state.withLock { state in
      if isWanted(state) { swap(&obsolete, &state.timer) }
    }
    obsolete?.cancel()
  }

  private func timeOut(attempt: Int) {
    let (isDue, exchange): (Bool, Int?) = state.withLock { state in
      let machine = state.machine
      guard machine.attempt == attempt, machine.isWaiting, !state.isTransportTimed else { return (false, nil) }
      return (true, machine.state == .sending ? machine.exchange : nil)
    }
    guard isDue else { return }
    // What a transport would say of it: which of the two looks at its clock first must make no difference.
    if let exchange {
      end(exchange) { task in
        task?.withdrawIfUnsent().map { TransportError(.timedOut(.whole), waitingFor: $0) }
          ?? TransportError(.timedOut(.whole), message: "no answer came in time", mayHaveReachedServer: true)
      }
    } else {
      interrupt(.timedOut)
    }
  }

  /// Waits before anything is done.
  func wait(_ pause: TimeInterval) {
    record(.waiting(.retryDelay))
    let timer = engine.configuration.clock.schedule(after: pause) { [self] in
      AppCode.queue.async { [self] in advance(.started) }
    }
    keep(timer) { $0.machine.state == .created }
  }

  // MARK: The deadline

  func makeDeadlineTimer() -> (any WebServiceTimer)? {
    guard let deadline else { return nil }
    return engine.configuration.clock.schedule(after: min(max(0, deadline), Self.longestDeadline)) { [self] in
      interrupt(.deadlinePassed)
    }
  }

  /// Half a year, in seconds.
  private static let longestDeadline: TimeInterval = 15_768_000

  /// Whether there is time for anything after a wait of so many seconds.
  func allowsWaiting(_ seconds: TimeInterval) -> Bool {
    Deadline(after: deadline, now: startTime).allows(waiting: seconds, at: engine.configuration.clock.now)
  }
}
