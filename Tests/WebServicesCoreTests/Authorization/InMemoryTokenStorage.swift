@testable import WebServicesTestSupport

/// A storage that a test can look into.
final class InMemoryTokenStorage: TokenStorage {
  private let token: Locked<StoredToken?>

  init(_ token: StoredToken? = nil) { self.token = Locked(token) }

  func load() -> StoredToken? { token.withLock { $0 } }

  func save(_ token: StoredToken) { self.token.withLock { $0 = token } }

  func clear() { token.withLock { $0 = nil } }
}
