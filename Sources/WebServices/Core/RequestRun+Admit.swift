extension RequestRun {
  /// Checks whether there is a network. A server on this machine needs no network interface.
  func admit(_ step: RequestStep, isFirst: Bool) -> Event? {
    if isFirst { record(.described) }
    let isConnected = engine.reachability.isConnected() || step.isAtLoopback
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
      // Called on this thread, or on the clock's.
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
