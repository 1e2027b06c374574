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
  /// requests that carry one are cancelled in every service that was made with this manager. Once this method has
  /// returned, none of them succeeds any more.
  ///
  /// - Returns: whether the storage has forgotten the token too.
  @discardableResult
  public func clear() -> Bool {
    let end = state.withLock { state in
      let wasSignedIn = state.token.token != nil
      return state.endSession(state.token.clear(), isSignOut: wasSignedIn)
    }
    return endRequests(of: end, TokenError.signedOut, reason: nil)
  }

  /// Signs the user out because the server has rejected the renewal.
  func signOut(after attempt: TokenState.Attempt, rejectedWith error: any Error) {
    let now = clock.now
    let end = state.withLock { state -> State.SessionEnd? in
      state.token.renewalRejected(attempt, with: error, now: now).map { state.endSession($0, isSignOut: true) }
    }
    if let end { endRequests(of: end, error, reason: error) }
  }

  /// Ends all requests of the session, stores that nobody is signed in, and tells the app. Called after unlocking.
  ///
  /// - Parameters:
  ///   - error: the error of the requests that wait for a token.
  ///   - reason: the reason for the app; `nil` after `clear()`.
  @discardableResult
  private func endRequests(of end: State.SessionEnd, _ error: any Error, reason: (any Error)?) -> Bool {
    end.renewal?.end()
    // Before the services cancel: requests that wait fail with the reason instead of as cancelled.
    for waiter in end.waiters { waiter(.failure(error)) }
    for service in end.services { service.cancelAuthorizedRequests() }
    // After the requests have ended, because the storage may block.
    let isCleared = store()
    // Last, so that the app finds everything ended.
    if let handler = end.handler { handler.queue.async { handler.call(reason) } }
    return isCleared
  }
}

extension BasicAuthManager.State {
  /// Holds what a sign-out ends or calls after unlocking: the waiting requests, the renewal, the services, and the
  /// app's closure.
  fileprivate struct SessionEnd {
    let waiters: [TokenState.Waiter]
    let renewal: RenewalUnderWay?
    let services: [any AuthorizedRequestsCancelling]
    let handler: SignOutHandler?
  }

  fileprivate mutating func endSession(_ waiters: [TokenState.Waiter], isSignOut: Bool) -> SessionEnd {
    SessionEnd(
      waiters: waiters, renewal: takeRenewal(), services: services.cancellable,
      handler: isSignOut ? signOutHandler : nil)
  }
}
