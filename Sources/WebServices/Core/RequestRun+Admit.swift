extension RequestRun {
  /// Checks whether there is a network. The first check runs on the caller's thread, which an app's `isConnected()` may
  /// block. A later check begins on a thread that other requests wait for, so the probe asks on a queue of its own.
  func admit(_ step: RequestStep, isFirst: Bool) -> Event? {
    if isFirst {
      record(.described)
      return admit(step, isConnected: engine.reachability.reachability.isConnected() || step.isAtLoopback)
    }
    // A server on this machine needs no network interface.
    if step.isAtLoopback { return admit(step, isConnected: true) }
    engine.reachability.ask { [self] isConnected in
      if let event = admit(step, isConnected: isConnected) { drive(event) }
    }
    return nil
  }

  private func admit(_ step: RequestStep, isConnected: Bool) -> Event? {
    // A cache can respond without a network. If it can't, the next session behind the cache waits for the network.
    let mayBeCached = engine.hasOfflineLayer && !options.bypassesLimits && step.request.method.isSafe
    if isConnected || mayBeCached { return .admitted(isOffline: !isConnected) }
    guard connectivity != .failAtOnce else { return .refused(.noConnection) }
    waitForConnectivity(step)
    return nil
  }

  private func waitForConnectivity(_ step: RequestStep) {
    record(.waiting(.connectivity))
    let wait = ConnectivityWait(
      connectivity, reachability: engine.reachability, clock: engine.configuration.clock
    ) { [self] isConnected in
      // Called on the clock's thread, or on the queue of the probe's handlers.
      isConnected ? driveFromTimer(.admitted(isOffline: false), step) : drive(.refused(.noConnection))
    }
    // The wait may be over before it is stored, and a cancel may have ended the request meanwhile.
    let isWaiting = state.withLock { state in
      let isWaiting = state.machine.phase == .admit
      if isWaiting { state.connectivityWait = wait }
      return isWaiting
    }
    if !isWaiting { wait.cancel() }
  }

  /// The policy for a request without a network.
  var connectivity: ConnectivityPolicy { options.connectivity ?? engine.configuration.connectivity }
}

extension RequestStep {
  fileprivate var isAtLoopback: Bool { request.target?.origin.isLoopback ?? false }
}
