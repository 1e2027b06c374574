public import Foundation

/// Keeps a token beyond the end of the process.
///
/// A manager loads the token when you create the manager and before each renewal: another process may have renewed it.
/// It calls one method at a time, on the thread that creates the manager, needs a renewal, or signs in or out, and after
/// a renewal on a thread of the library. The methods may block; they must not call the manager.
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

  /// Creates a token to store. Each parameter sets the property of the same name.
  public init(apiToken: String, expiresAt: Date, refreshToken: String? = nil) {
    self.apiToken = apiToken
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
  }
}

extension StoredToken: DescriptionOnly {
  /// The expiry, without the tokens.
  public var description: String { "StoredToken(expiresAt: \(expiresAt))" }
}

/// Clamps the lifetimes that services and storages give to a range that is safe to calculate with.
package enum TokenLifetime {
  /// Ten years.
  package static let longest: TimeInterval = 10 * 365 * 86_400

  /// The seconds, within 0 and `longest`; 0 when they aren't a number.
  package static func clamped(_ seconds: TimeInterval) -> TimeInterval { seconds > 0 ? min(seconds, longest) : 0 }
}
