/// Keeps a token beyond the end of the process.
///
/// A manager loads the token when you create the manager and before each renewal: another process may have renewed it.
/// Until a user has signed in or out, it also loads the token for each request that finds none. It calls one method at
/// a time, on the thread that creates the manager, needs a token, or signs in or out, and after a renewal on a thread
/// of the library. The methods may block; they must not call the manager.
public protocol TokenStorage: Sendable {
  /// The token that was saved last, or `nil` when there is none.
  ///
  /// - Throws: your own error. The manager then counts as signed out, and its ``BasicAuthManager/storageError`` has the
  ///   error.
  func load() throws -> StoredToken?
  /// Stores a token, and replaces the former one.
  ///
  /// - Throws: your own error. The token is used in memory, and ``BasicAuthManager/storageError`` has the error.
  func save(_ token: StoredToken) throws
  /// Forgets the token.
  ///
  /// - Throws: your own error. The user is signed out in memory, and ``BasicAuthManager/storageError`` has the error.
  func clear() throws
}

/// A storage whose token one process at a time renews.
package protocol LockableTokenStorage: TokenStorage {
  /// Locks the token without waiting.
  ///
  /// - Returns: unlocks the token; `nil` while another process has the lock. A storage that can't be locked returns a
  ///   closure that does nothing.
  func lock() -> (@Sendable () -> Void)?
}
