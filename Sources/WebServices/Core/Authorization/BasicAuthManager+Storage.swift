import Foundation

extension BasicAuthManager {
  /// Writes the current token, which may be newer than the token that the caller has set, or deletes it when nobody is
  /// signed in. Blocks this thread until the storage has written.
  func store() -> Bool {
    guard let storage else { return true }
    return storageQueue.sync {
      let now = clock.now
      let grant = state.withLock { $0.token.grant }
      var error: (any Error)?
      do {
        if let grant {
          let expiresAt = wallClock().addingTimeInterval(grant.expiry - now)
          try storage.save(
            StoredToken(apiToken: grant.value, expiresAt: expiresAt, refreshToken: grant.refreshToken))
        } else {
          try storage.clear()
        }
      } catch let failure {
        error = failure
      }
      let isStored = error == nil
      // Swapped, so that the former error is released after unlocking.
      state.withLock { swap(&$0.storageError, &error) }
      return isStored
    }
  }
}

extension TokenState.Grant {
  /// The grant of a sign-in or a renewal.
  init(_ info: AuthenticationInfo, now: TimeInterval) {
    self.init(
      value: info.apiToken, refreshToken: info.refreshToken,
      expiry: now + TokenLifetime.clamped(TimeInterval(info.secondsRemaining)))
  }
}
