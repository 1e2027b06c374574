import Foundation

/// Timers retain the request until it is delivered, which cancels them. A weak reference would slow down every other
/// reference to the request.
extension RequestRun {
  /// Limits the time of a wait for a token or of an attempt, from now on. No transport limits it. A redirect spends the
  /// time that is left.
  func startTimer(_ number: Int) { keep(makeTimer(number), number) }

  func makeTimer(_ number: Int) -> any WebServiceTimer {
    let seconds = options.timeout ?? engine.configuration.timeout
    return engine.configuration.clock.schedule(after: seconds) { [self] in drive(.timedOut(timer: number)) }
  }

  /// Stores a timer that replaces the previous one. The timer may have fired already, and the request may have begun
  /// another wait with a timer of its own: then the number is no longer the machine's.
  func keep(_ timer: any WebServiceTimer, _ number: Int) {
    // The former timer is cancelled after unlocking, because a clock may be an app's code.
    var obsolete: (any WebServiceTimer)? = timer
    state.withLock { if $0.machine.timer == number { swap(&obsolete, &$0.resources.timer) } }
    obsolete?.cancel()
  }

  /// Whether a wait of this many seconds ends before the deadline.
  func allowsWaiting(_ seconds: TimeInterval) -> Bool {
    deadline.map { engine.configuration.clock.now + seconds < startTime + $0 } ?? true
  }

  // MARK: Threads for an app's code

  /// Calls an app's code on a queue that it may block, unless the request has gone on meanwhile.
  ///
  /// - Parameter code: returns the next event; `nil` if a callback will drive on.
  func callApp(_ code: @escaping @Sendable () -> Event?) {
    UserCallbackQueue.shared.enqueue { [self] in
      // Checked on the queue: a cancel may have ended the request while this block waited.
      if state.withLock({ $0.machine.waitsForApp }), let event = code() { drive(event) }
    }
  }

  /// Drives on from a timer's thread, which every other timer waits for. Leaves that thread if the step calls an app's
  /// code: a token manager or a signer. The event is made on the thread that drives on.
  func driveFromTimer(_ event: @escaping @autoclosure @Sendable () -> Event) {
    let type = currentAuthorization
    guard type.needsToken || type.signer != nil else { return drive(event()) }
    UserCallbackQueue.shared.enqueue { [self] in drive(event()) }
  }
}

/// The queue for an app's code that runs during a request, such as the replacement of a token or a signature. The event
/// that calls for the code may come on a thread of a transport or a clock, which an app's code must not block.
enum UserCallbackQueue {
  static let shared = DispatchQueue(
    label: "WebServices.UserCallbackQueue", qos: .userInitiated, attributes: .concurrent)
}
