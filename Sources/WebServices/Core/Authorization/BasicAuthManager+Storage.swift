import Foundation

/// A change that another manager with the same storage has made: an app's extension, or another process.
struct StorageChange: Sendable {
  /// The token that the storage has now; `nil` when nobody is signed in any more.
  let token: StoredToken?
  let grant: TokenState.Grant?
  /// Whether the token belongs to the same sign-in as the manager's own token.
  let isRenewal: Bool
}

extension BasicAuthManager {
  /// Reads the storage. Blocks this thread until the storage has responded.
  ///
  /// - Returns: `nil` if the storage has what this manager read or wrote last, or can't be read. The change stays
  ///   pending until the manager has adopted it.
  func storageChange() -> StorageChange? {
    storageQueue.sync {
      guard case .success(let token) = load() else { return nil }
      let (former, own) = state.withLock { ($0.stored, $0.token.grant) }
      guard token?.name != former?.name, token != nil || own != nil else { return nil }
      return StorageChange(
        token: token, grant: TokenState.Grant(token, clock: clock, wallClock: wallClock),
        isRenewal: token?.isOfSession(own?.session) ?? false)
    }
  }

  /// Writes the current token, which may be newer than the token that the caller has set. When nobody is signed in, it
  /// deletes the token, unless that is the next user's, whom another manager has signed in. Blocks this thread until
  /// the storage has written.
  func store() -> Bool {
    storageQueue.sync {
      let now = clock.now
      let (grant, former) = state.withLock { ($0.token.grant, $0.stored) }
      var stored: StoredToken?
      let error: (any Error)?
      do {
        if let grant {
          let savedAt = wallClock()
          let token = StoredToken(
            apiToken: grant.value, expiresAt: savedAt.addingTimeInterval(grant.expiry - now),
            refreshToken: grant.refreshToken, savedAt: savedAt, session: grant.session)
          try storage.save(token)
          // Read back, because a storage may keep less than it was given, and no loss may look like a change.
          stored = (try? storage.load()) ?? nil
        } else if case .success(let token?) = load(), !token.isOfSession(former?.session) {
          stored = token
        } else {
          try storage.clear()
        }
        error = nil
      } catch let failure {
        stored = former
        error = failure
      }
      set(error)
      state.withLock { $0.stored = stored }
      return error == nil
    }
  }

  /// Called on the storage's queue.
  private func load() -> Result<StoredToken?, any Error> {
    let result = Result { try storage.load() }
    if case .failure(let error) = result { set(error) } else { set(nil) }
    return result
  }

  private func set(_ error: (any Error)?) {
    var error = error
    // Swapped, so that the former error is released after unlocking.
    state.withLock { swap(&$0.storageError, &error) }
  }
}

extension StoredToken {
  /// Differs for different tokens. The dates aren't part of it, because a storage may round them.
  fileprivate var name: [String?] { [apiToken, refreshToken, session?.uuidString] }

  /// Whether the token may belong to a session. A token of an older version of the library names no session.
  fileprivate func isOfSession(_ other: UUID?) -> Bool { session == nil || other == nil || session == other }
}

extension TokenState.Grant {
  /// The grant of a sign-in or a renewal.
  init(_ info: AuthenticationInfo, now: TimeInterval) {
    self.init(
      value: info.apiToken, refreshToken: info.refreshToken,
      expiry: now + TokenLifetime.clamped(TimeInterval(info.secondsRemaining)), session: UUID())
  }

  /// The grant of a stored token; `nil` without one.
  init?(_ stored: StoredToken?, clock: any WebServiceClock, wallClock: () -> Date) {
    guard let stored, !stored.apiToken.isEmpty else { return nil }
    self.init(
      value: stored.apiToken, refreshToken: stored.refreshToken,
      expiry: clock.now + TokenLifetime.remaining(of: stored, now: wallClock()), session: stored.session)
  }
}
