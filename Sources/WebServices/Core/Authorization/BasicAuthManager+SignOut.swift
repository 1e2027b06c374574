public import Dispatch

/// Holds the closure by which an app learns of a sign-out, and its queue.
struct SignOutHandler: Sendable {
  let queue: DispatchQueue
  let call: @Sendable (_ reason: (any Error)?) -> Void
}

// MARK: Signing out

extension BasicAuthManager {
  /// Sets the closure that runs on the main queue after each sign-out. It replaces an earlier closure.
  ///
  /// - Parameter handler: receives `nil` after ``clear()``. If the server has rejected the renewal for good, such as
  ///   with OAuth 2's `invalid_grant`, it receives the renewal's error: ask the user to sign in again.
  public func onSignOut(_ handler: @escaping @MainActor @Sendable (_ reason: (any Error)?) -> Void) {
    onSignOut(callbackQueue: .main) { reason in MainActor.assumeIsolated { handler(reason) } }
  }

  /// Sets the closure that runs on your queue after each sign-out. It replaces an earlier closure.
  ///
  /// - Parameters:
  ///   - callbackQueue: the queue for the closure.
  ///   - handler: receives `nil` after ``clear()``, or the error with which the server has rejected the renewal. The
  ///     manager retains the closure until another one replaces it.
  public func onSignOut(
    callbackQueue: DispatchQueue, _ handler: @escaping @Sendable (_ reason: (any Error)?) -> Void
  ) {
    var handler: SignOutHandler? = SignOutHandler(queue: callbackQueue, call: handler)
    // Swapped, so that the former closure is released after unlocking.
    state.withLock { swap(&$0.signOutHandler, &handler) }
  }

  /// Forgets the token after a sign-out, and ends the user's requests. Requests that wait for a token fail, and
  /// requests that carry one are cancelled in every service that was made with this manager. The identity changes before
  /// the first completion runs: a completion may sign the next user in, and no request of the former user is sent or
  /// succeeds any more.
  ///
  /// - Returns: whether the storage has forgotten the token too.
  @discardableResult
  public func clear() -> Bool {
    let end = state.withLock { state in
      let wasSignedIn = state.token.token != nil
      return state.endSession(state.token.clear(), isSignOut: wasSignedIn)
    }
    endRequests(of: end, TokenError.signedOut)
    // After the requests have ended, because the storage may block.
    let isCleared = store()
    end.tellApp(because: nil)
    return isCleared
  }

  /// Signs the user out because the server has rejected the renewal.
  func signOut(endingRenewal attempt: TokenState.Attempt, _ error: any Error) {
    let now = clock.now
    let end = state.withLock { state in
      state.token.renewalRejected(attempt, with: error, now: now).map { state.endSession($0, isSignOut: true) }
    }
    guard let end else { return }
    endRequests(of: end, error)
    _ = store()
    end.tellApp(because: error)
  }

  /// Ends all requests of the session, whose identity has ended. Called after unlocking.
  ///
  /// - Parameter error: the error of the requests that wait for a token.
  private func endRequests(of end: State.SessionEnd, _ error: any Error) {
    end.renewal?.end()
    // Before the others are cancelled: requests that wait fail with the reason instead of as cancelled.
    for waiter in end.waiters { waiter(.failure(error)) }
    for cancel in end.cancellations { cancel() }
  }
}

extension BasicAuthManager.State {
  /// Holds what a sign-out ends or calls after unlocking: the waiting requests, the renewal, the other requests, and the
  /// app's closure.
  fileprivate struct SessionEnd {
    let waiters: [TokenState.Waiter]
    let renewal: RenewalUnderWay?
    /// Retained, so that no service is released with the lock held.
    let services: [any UserRequests]
    let cancellations: [@Sendable () -> Void]
    let handler: SignOutHandler?

    /// The last step, so that the app finds everything ended.
    func tellApp(because reason: (any Error)?) {
      if let handler { handler.queue.async { handler.call(reason) } }
    }
  }

  /// Ends the user's identity at all services, in the step that forgets the token. A completion that this sign-out
  /// causes may sign the next user in.
  fileprivate mutating func endSession(_ waiters: [TokenState.Waiter], isSignOut: Bool) -> SessionEnd {
    let services = services.requests
    return SessionEnd(
      waiters: waiters, renewal: takeRenewal(), services: services,
      cancellations: services.map { $0.endIdentity() }, handler: isSignOut ? signOutHandler : nil)
  }
}
