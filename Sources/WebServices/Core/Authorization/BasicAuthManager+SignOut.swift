public import Dispatch

extension BasicAuthManager {
  /// Sets the closure that runs on the main queue after each sign-out. It replaces an earlier closure.
  ///
  /// - Parameter handler: receives `nil` after ``clear()``. If the server has rejected the renewal for good, such as
  ///   with OAuth 2's `invalid_grant`, it receives the renewal's error: ask the user to sign in again.
  public func onSignOut(_ handler: @escaping @MainActor @Sendable (_ reason: (any Error)?) -> Void) {
    onSignOut(callbackQueue: .main, MainQueue.form(of: handler))
  }

  /// Sets the closure that runs on your queue after each sign-out. It replaces an earlier closure.
  ///
  /// - Parameters:
  ///   - callbackQueue: the queue for the closure.
  ///   - handler: receives `nil` after ``clear()``, or the error with which the server has rejected the renewal. The
  ///     manager retains the closure until another one replaces it.
  public func onSignOut(callbackQueue: DispatchQueue, _ handler: @escaping @Sendable (_ reason: (any Error)?) -> Void) {
    var notify: (@Sendable ((any Error)?) -> Void)? = { reason in callbackQueue.enqueue { handler(reason) } }
    // Swapped, so that the former closure is released after unlocking.
    state.withLock { swap(&$0.notifyOfSignOut, &notify) }
  }

  /// Attaches a service whose authorized requests a sign-out cancels. A renewal goes through the service that was
  /// attached first if no service is named and the manager is asked without one.
  ///
  /// - Parameter service: held weakly. A service that is already attached changes nothing.
  public func attach(to service: JsonWebService) { attach(service, ending: service.engine) }

  /// - Parameter engine: has the requests that a sign-out ends.
  package func attach(_ service: any JsonWebServiceable, ending engine: Engine) {
    state.withLock { state in
      // An app may make services without end, so dead references go first.
      state.services.removeAll { $0.engine == nil }
      guard !state.services.contains(where: { $0.service === service }) else { return }
      state.services.append(AttachedService(service: service, engine: engine))
    }
  }

  /// Forgets the token after a sign-out, and ends the user's requests. Requests that wait for a token fail, and
  /// requests that carry one are cancelled in every service that was made with this manager. The identity changes
  /// before the first completion runs: a completion may sign the next user in, and no request of the former user is
  /// sent or succeeds any more. The storage forgets its token, also one that another process has saved.
  ///
  /// - Returns: whether the storage has forgotten the token too.
  @discardableResult
  public func clear() -> Bool { endSession(because: nil) { $0.clear(TokenError.signedOut) } }

  /// Ends the user's identity at all services, in the step that forgets the token, and then the requests of the user.
  ///
  /// - Parameter end: forgets the token; returns `nil` if the session continues.
  @discardableResult
  func endSession(because reason: (any Error)?, by end: (inout TokenState) -> TokenState.Ended?) -> Bool {
    let (ended, cancellations, notify) = state.withLock { state in
      let notify = state.token.token == nil ? nil : state.notifyOfSignOut
      let ended = end(&state.token)
      // Each closure retains its requests, so that none is released with the lock held.
      return (ended, ended == nil ? [] : state.services.compactMap { $0.engine?.endIdentity() }, notify)
    }
    guard let ended else { return false }
    // Before the others are cancelled: requests that wait fail with the reason instead of as cancelled.
    ended.finish()
    for cancel in cancellations { cancel() }
    // After the requests have ended, because the storage may block.
    let isCleared = store(afterSignOut: true, keepsOthers: reason != nil)
    // Last, so that the app finds everything ended.
    notify?(reason)
    return isCleared
  }
}

/// A service that was made with a token manager. A sign-out ends its requests, and a renewal may be sent through it.
/// The service holds the manager, so the manager holds the service weakly.
struct AttachedService: Sendable {
  weak var service: (any JsonWebServiceable)?
  /// Lives until the last request and the last background transfer of the service have ended, which may be after the
  /// service itself.
  weak var engine: Engine?
}
