public import Foundation

/// Where a token outlives the process.
///
/// A manager calls one method at a time, on the thread of whoever signs in or out, or on one of its own after a
/// renewal. The methods may block; they must not call the manager.
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
  /// What the next renewal is to carry, where the service gives such tokens.
  public var refreshToken: String?
  /// When it was stored, by the wall clock: where that is set back, the token isn't believed to last longer than then.
  public var savedAt: Date?

  /// Creates a token to store.
  public init(apiToken: String, expiresAt: Date, refreshToken: String? = nil, savedAt: Date? = nil) {
    self.apiToken = apiToken
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
    self.savedAt = savedAt
  }
}

extension StoredToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The expiry, without the tokens.
  public var description: String { "StoredToken(expiresAt: \(expiresAt))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The expiry, without the tokens.
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
