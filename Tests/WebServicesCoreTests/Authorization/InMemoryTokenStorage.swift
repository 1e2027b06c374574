@testable import WebServicesTestSupport

/// A storage that a test can look into.
final class InMemoryTokenStorage: TokenStorage {
  private let token: Locked<StoredToken?>
  /// Runs once, when the token has been read.
  let whileReading = Locked<(@Sendable () -> Void)?>(nil)

  init(_ token: StoredToken? = nil) { self.token = Locked(token) }

  func load() -> StoredToken? {
    defer { whileReading.withLock { $0.take() }?() }
    return token.withLock { $0 }
  }

  func save(_ token: StoredToken) { self.token.withLock { $0 = token } }

  func clear() { token.withLock { $0 = nil } }
}
