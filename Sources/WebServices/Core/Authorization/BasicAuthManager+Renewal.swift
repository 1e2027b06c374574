import Foundation

// MARK: Asking for a token

extension BasicAuthManager {
  /// Passes the token to the completion, as ``ensureValidToken(ofType:through:completion:)`` does. A renewal uses the
  /// service that was attached first.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) { requestToken(through: nil, completion) }

  /// Passes the token to the completion. A token near its expiry is renewed first: the manager's `leeway` says how
  /// near, 60 seconds by default. A renewal uses this service, unless ``renewTokens(through:with:)`` named another
  /// service.
  ///
  /// - Parameters:
  ///   - type: ignored, because the manager has one token for every type.
  ///   - service: sends the renewal. The manager retains it until the renewal ends.
  ///   - completion: called once, on any thread, possibly before this method returns. It gets `TokenError.notSignedIn`
  ///     if nobody is signed in and the source grants no first token. It gets `TokenError.expired` if the token has
  ///     expired and can't be renewed, or the error of a renewal that fails.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) { requestToken(through: service, completion) }

  /// The token, unless there is none or the token has to be renewed before its next use.
  public func validToken(ofType type: WebServiceAuthorizationType) -> AccessToken? {
    withToken { $0.validToken(now: $1) }
  }

  /// Passes the token that has replaced the refused token to the completion, or renews it as
  /// ``ensureValidToken(ofType:through:completion:)`` does.
  ///
  /// - Parameters:
  ///   - token: the token that the server refused. A token of a user who has signed out fails with
  ///     `TokenError.signedOut`.
  ///   - type: ignored, because the manager has one token for every type.
  ///   - service: sends the renewal. The manager retains it until the renewal ends.
  ///   - completion: called once, on any thread, possibly before this method returns. It gets `TokenError.expired` if
  ///     the token can't be renewed, or was renewed after a refusal a moment ago.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) { requestToken(replacing: token, through: service, completion) }

  /// Carries out the state's decision for a request that needs a token, after unlocking.
  package func requestToken(
    replacing refused: AccessToken? = nil, through service: (any JsonWebServiceable)?,
    _ completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    // A lazy `compactMap` would read the weak reference twice, and trap if the app releases the service in between.
    let service = service ?? state.withLock { $0.services.lazy.map(\.service).first { $0 != nil } ?? nil }
    switch withToken({ $0.request(replacing: refused, now: $1, through: service, completion) }) {
    case .use(let token): completion(.success(token))
    // The Keychain has no token before the device is unlocked, and the system may start an app before.
    case .refuse where state.withLock({ $0.token.isNew }) && takeStoredToken(insteadOf: nil):
      requestToken(replacing: refused, through: service, completion)
    case .refuse(let error): completion(.failure(error))
    case .wait: break
    case .renew(let renewal): renew(renewal)
    }
  }

  // MARK: Renewing it

  /// Requests a token from the source. The first of these ends the renewal: the source's result, the timeout, a
  /// sign-in or a sign-out. A later event changes nothing.
  ///
  /// One process at a time renews a token that can be locked: a server may sign everybody out when a refresh token is
  /// used twice. A process that is stopped meanwhile holds up the others for the timeout only.
  ///
  /// - Parameters:
  ///   - renewal: the renewal.
  ///   - wait: how many seconds another process has held up the renewal.
  private func renew(_ renewal: TokenRenewal, after wait: TimeInterval = 0) {
    var unlock: (@Sendable () -> Void)? = {}
    if let storage = storage as? any LockableTokenStorage, wait < renewalTimeout { unlock = storage.lock() }
    guard let unlock else {
      _ = schedule(after: 0.1) { [self] in renew(renewal, after: wait + 0.1) }
      return
    }
    // Scheduled first, because the storage and the source may block, and the source may never call back.
    let timer = schedule(after: renewalTimeout) { [self] in fail(renewal, with: TokenError.renewalTimedOut) }
    let request = TaskCancellation()
    renewal.cancellation.set {
      timer.cancel()
      request.cancel()
      unlock()
    }
    if takeStoredToken(insteadOf: renewal) || renewal.cancellation.isCancelled { return }
    let sender = TokenSender(
      route: { [self] path throws(TokenError) in try service(of: renewal, path: path) }, cancellation: request)
    renewal.setup.source.requestToken(replacing: renewal.former, through: sender) { [self] in end(renewal, with: $0) }
  }

  /// Runs an action later, off the clock's thread: the action may call an app's code, and other timers wait for that
  /// thread.
  private func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    clock.schedule(after: seconds) { UserCallbackQueue.shared.enqueue(action) }
  }

  /// The service for a request of a renewal.
  private func service(of renewal: TokenRenewal, path: String) throws(TokenError) -> any JsonWebServiceable {
    let (isCurrent, services) = state.withLock { ($0.token.isCurrent(renewal), $0.services.compactMap(\.engine)) }
    // After a sign-out, the former user's refresh token must not be used any more.
    guard isCurrent else { throw .signedOut }
    // The service whose request asked may have another host than the tokens.
    let isKnown =
      renewal.setup.hasNamedService || (try? URLReference(path).isAbsolute) == true
      || Set(services.compactMap(\.origin)).count < 2
    guard isKnown, let service = renewal.service else { throw .noRenewalService }
    return service
  }

  private func end(_ renewal: TokenRenewal, with result: Result<AuthenticationInfo, any Error>) {
    switch result {
    case .success(let info) where info.apiToken.isEmpty: fail(renewal, with: TokenError.emptyResponse)
    case .success(let info):
      // Some servers send 0 for an unknown lifetime. To refuse the response would lose its refresh token.
      let lifetime =
        info.secondsRemaining > 0 ? TokenLifetime.clamped(TimeInterval(info.secondsRemaining)) : TokenLifetime.longest
      storeAndFinish(withToken { $0.renewalSucceeded(renewal, with: info, expiry: $1 + lifetime, now: $1) })
    case .failure where takeStoredToken(insteadOf: renewal): break
    case .failure(let error) where renewal.isOfUser && renewal.setup.source.endsSession(error):
      let now = clock.now
      endSession(because: error) { $0.renewalRejected(renewal, with: error, now: now) }
    case .failure(let error): fail(renewal, with: error)
    }
  }

  private func fail(_ renewal: TokenRenewal, with error: any Error) {
    guard let ended = withToken({ $0.renewalFailed(renewal, with: error, now: $1) }) else { return }
    guard (error as? WebServiceError)?.isEnded == true, !renewal.setup.hasNamedService else { return ended.finish() }
    renewal.cancellation.cancel()
    // The service that sent the renewal was shut down. The requests of other services ask again, each through its own.
    for waiter in ended.waiters {
      waiter.service === renewal.service
        ? waiter.completion(ended.result) : requestToken(through: waiter.service, waiter.completion)
    }
  }

  /// Stores a new token before the requests that waited for it go on: a refresh token that was used must not come back
  /// after a crash. A request that asks meanwhile uses the new token at once.
  @discardableResult
  func storeAndFinish(_ ended: TokenState.Ended?) -> Bool {
    guard let ended else { return false }
    defer { ended.finish() }
    return store()
  }
}
