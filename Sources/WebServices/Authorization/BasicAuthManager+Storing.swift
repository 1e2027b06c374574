import Foundation

extension BasicAuthManager {
  func grant(_ info: AuthenticationInfo) -> TokenState.Grant {
    TokenState.Grant(
      value: info.apiToken, refreshToken: info.refreshToken,
      expiry: clock.now + TokenLifetime.clamped(TimeInterval(info.secondsRemaining)))
  }

  /// Stores a new token before anybody uses it: a refresh token that was used up must not come back after a crash.
  @discardableResult
  func finish(_ update: TokenState.Update, _ renewal: RenewalUnderWay?) -> Bool {
    renewal?.handle.end()
    let isStored = store()
    for waiter in update.waiters {
      waiter(.success(update.token))
    }
    return isStored
  }

  /// Writes what is known now, which may be newer than what the caller has just set.
  func store() -> Bool {
    storageQueue.sync {
      let now = clock.now
      let grant = state.withLock { $0.token.grant }
      let result = Result {
        guard let grant else { return try storage.clear() }
        let savedAt = wallClock()
        try storage.save(
          StoredToken(
            apiToken: grant.value, expiresAt: savedAt.addingTimeInterval(grant.expiry - now),
            refreshToken: grant.refreshToken, savedAt: savedAt))
      }
      return state.withLock { state in
        switch result {
        case .success: state.storageError = nil
        case .failure(let error): state.storageError = error
        }
        return state.storageError == nil
      }
    }
  }
}
