/// The storage, which several processes of one user may share.
extension BasicAuthManager {
  /// Takes the token of the storage, if another process has saved it. That process may have used up the refresh token
  /// of this one. Blocks this thread until the storage has responded.
  ///
  /// - Parameter renewal: the renewal that the token replaces; `nil` before anybody has signed in or out.
  /// - Returns: whether the manager has the token of the storage now.
  func takeStoredToken(insteadOf renewal: TokenRenewal?) -> Bool {
    var loaded: StoredToken?
    guard callStorage({ loaded = try $0.load() }), let stored = loaded, !stored.apiToken.isEmpty else { return false }
    let expiry = clock.now + TokenLifetime.clamped(stored.expiresAt.timeIntervalSince(wallClock()))
    let ended: TokenState.Ended? = state.withLock { state in
      // A token of this manager that wasn't saved is newer than the stored one.
      guard state.token.isCurrent(renewal), renewal != nil || state.token.isNew,
        state.token.token?.value == state.storedToken, state.storedToken != stored.apiToken
      else { return nil }
      state.storedToken = stored.apiToken
      return state.token.signIn(
        AuthenticationInfo(apiToken: stored.apiToken, secondsRemaining: 0, refreshToken: stored.refreshToken),
        expiry: expiry)
    }
    // Another request may have taken the first token.
    guard let ended else { return renewal == nil && apiToken != nil }
    renewal?.cancellation.cancel()
    // The requests ask again, because this token may have expired too.
    for waiter in ended.waiters { requestToken(through: waiter.service, waiter.completion) }
    return true
  }

  /// Writes the current token, which may be newer than the token that the caller has set, or deletes it when nobody is
  /// signed in. Blocks this thread until the storage has written.
  ///
  /// - Parameters:
  ///   - isSignOut: whether a user has signed out. That user's token is then deleted if the next user's can't be saved.
  ///   - keepsOthers: whether a token that another process has saved isn't deleted.
  func store(afterSignOut isSignOut: Bool = false, keepsOthers: Bool = false) -> Bool {
    callStorage { storage in
      let now = clock.now
      let (token, known) = state.withLock { ($0.token.info(now: now), $0.storedToken) }
      func delete() throws {
        if try !keepsOthers || storage.load()?.apiToken == known { try storage.clear() }
        state.withLock { $0.storedToken = nil }
      }
      guard let token else { return try delete() }
      let expiresAt = wallClock().addingTimeInterval(Double(token.secondsRemaining))
      do {
        try storage.save(StoredToken(apiToken: token.apiToken, expiresAt: expiresAt, refreshToken: token.refreshToken))
      } catch {
        if isSignOut { try? delete() }
        throw error
      }
      state.withLock { $0.storedToken = token.apiToken }
    }
  }

  /// Calls the storage, one call at a time, and notes its error.
  ///
  /// - Returns: whether the storage threw no error.
  private func callStorage(_ call: (any TokenStorage) throws -> Void) -> Bool {
    guard let storage else { return true }
    return storageQueue.enqueueAndWait {
      var error: (any Error)?
      do { try call(storage) } catch let failure { error = failure }
      // The former error is released after unlocking.
      _ = state.withLock { exchange(&$0.storageError, with: error) }
      return error == nil
    }
  }
}
