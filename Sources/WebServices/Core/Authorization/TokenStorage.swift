public import Foundation

/// Keeps a token beyond the end of the process.
///
/// Several managers may share a storage, also those of several processes, such as an app and its extension. A manager
/// reads the storage before it renews its token, before it deletes it, and when a request needs a token and nobody is
/// signed in. If another manager has stored a newer token of the same sign-in, it uses that one. If another manager has
/// signed the user out, it signs the user out too.
///
/// A manager calls one method at a time, on the thread that signs in or out, or that first needs a new token. After a
/// renewal it calls on a thread of the library. The methods may block; they must not call the manager.
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

/// A token as a ``TokenStorage`` saves and loads it, with the time of its expiry.
public struct StoredToken: Codable, Hashable, Sendable {
  /// The token.
  public var apiToken: String
  /// When the token expires, by the wall clock: no other clock outlives the process.
  public var expiresAt: Date
  /// The token that the next renewal carries, if the service gives such tokens.
  public var refreshToken: String?
  /// When the token was stored, by the wall clock. A wall clock that is set back later doesn't make the token last
  /// longer.
  public var savedAt: Date?
  /// Names the sign-in that the token comes from, also after renewals. It tells managers that share a storage whether a
  /// token is a renewed one or the next user's.
  public var session: UUID?

  /// Creates a token to store. Each parameter sets the property of the same name. Without `savedAt`, a wall clock that
  /// is set back makes the token last longer. Without `session`, the token counts as a renewed one.
  public init(
    apiToken: String, expiresAt: Date, refreshToken: String? = nil, savedAt: Date? = nil, session: UUID? = nil
  ) {
    self.apiToken = apiToken
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
    self.savedAt = savedAt
    self.session = session
  }
}

extension StoredToken: DescriptionOnly {
  /// The expiry, without the tokens.
  public var description: String { "StoredToken(expiresAt: \(expiresAt))" }
}

/// Keeps the token in memory until the process ends.
public final class InMemoryTokenStorage: TokenStorage {
  /// Guards the token.
  private let token: Locked<StoredToken?>

  /// Creates a storage.
  ///
  /// - Parameter token: the first token that ``load()`` returns; `nil` makes an empty storage.
  public init(_ token: StoredToken? = nil) { self.token = Locked(token) }

  /// The token that was saved last.
  public func load() -> StoredToken? { token.withLock { $0 } }

  /// Keeps the token.
  public func save(_ token: StoredToken) { self.token.withLock { $0 = token } }

  /// Forgets the token.
  public func clear() { token.withLock { $0 = nil } }
}

/// Clamps the lifetimes that services and storages give to a range that is safe to calculate with.
package enum TokenLifetime {
  /// Ten years.
  package static let longest: TimeInterval = 10 * 365 * 86_400

  /// The seconds, within 0 and `longest`; 0 when they aren't a number.
  package static func clamped(_ seconds: TimeInterval) -> TimeInterval { seconds > 0 ? min(seconds, longest) : 0 }

  /// How long a stored token is still valid, by a wall clock that may have been set since. The token never lasts longer
  /// than it did when it was saved.
  package static func remaining(of token: StoredToken, now: Date) -> TimeInterval {
    let sinceNow = token.expiresAt.timeIntervalSince(now)
    guard let savedAt = token.savedAt else { return clamped(sinceNow) }
    return min(clamped(sinceNow), clamped(token.expiresAt.timeIntervalSince(savedAt)))
  }
}
