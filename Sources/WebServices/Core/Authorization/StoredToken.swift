public import Foundation

/// A token as a ``TokenStorage`` saves and loads it, with the time of its expiry.
public struct StoredToken: Codable, Hashable, Sendable, DescriptionOnly {
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

  /// The expiry, without the tokens.
  public var description: String { "StoredToken(expiresAt: \(HTTPDate.string(from: expiresAt)))" }
}
