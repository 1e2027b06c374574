public import Foundation

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
