public import Foundation

/// Where a token outlives the process.
public protocol TokenStorage: Sendable {
  /// The token that was saved last, or `nil` where there is none.
  func load() throws -> StoredToken?
  /// Keeps a token in place of the former one.
  func save(_ token: StoredToken) throws
  /// Forgets the token.
  func clear() throws
}

/// A token as it is stored.
public struct StoredToken: Codable, Hashable, Sendable {
  /// The token.
  public var apiToken: String
  /// When it expires, by the wall clock: no other outlives the process.
  public var expiresAt: Date

  /// Creates a token to store.
  public init(apiToken: String, expiresAt: Date) {
    self.apiToken = apiToken
    self.expiresAt = expiresAt
  }
}

extension StoredToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The expiry, without the token.
  public var description: String { "StoredToken(expiresAt: \(expiresAt))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The expiry, without the token.
  public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}

/// Keeps the token in memory: it ends with the process.
public final class InMemoryTokenStorage: TokenStorage {
  private let token: Locked<StoredToken?>

  /// Creates a storage, with a token or empty.
  public init(_ token: StoredToken? = nil) {
    self.token = Locked(token)
  }

  /// The token that was saved last.
  public func load() -> StoredToken? { token.withLock { $0 } }

  /// Keeps the token.
  public func save(_ token: StoredToken) { self.token.withLock { $0 = token } }

  /// Forgets the token.
  public func clear() { token.withLock { $0 = nil } }
}
