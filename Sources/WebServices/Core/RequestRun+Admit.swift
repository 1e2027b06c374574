extension RequestRun {
  /// Whether there is no network; `nil` if the request has to wait for one. A server, a socket or a proxy on this
  /// machine needs no network interface.
  func isOffline(_ request: TransportRequest) -> Bool? {
    let isAtLoopback = request.target?.origin.isLoopback ?? false
    if isAtLoopback || engine.reachability.isConnected() || engine.isLocal { return false }
    // A cache can respond without a network. If it can't, the request comes back to wait for the network.
    return engine.hasOfflineLayer && !options.bypassesLimits && request.method.isSafe ? true : nil
  }

  /// Waits until the next check of the network, or fails if the request has waited long enough.
  ///
  /// - Parameter number: the number of the timer.
  func waitForNetwork(_ number: Int) -> Event? {
    let policy = options.connectivity ?? engine.configuration.connectivity
    let now = engine.configuration.clock.now
    let start = state.withLock { exchange(&$0.machine.offlineSince, with: $0.machine.offlineSince ?? now) }
    guard let delay = policy.delayBeforeNextCheck(waited: now - (start ?? now)) else {
      return .refused(WebServiceError(.noConnection, message: "no network interface is up"))
    }
    if start == nil { record(.waiting(.connectivity)) }
    let timer = engine.configuration.clock.schedule(after: delay) { [self] in
      let isConnected = engine.reachability.isConnected()
      isConnected ? driveFromTimer(.checked(isOffline: false)) : drive(.checked(isOffline: nil))
    }
    keep(timer, number)
    return nil
  }
}
