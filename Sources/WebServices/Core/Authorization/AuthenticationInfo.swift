/// A token with its lifetime, as a service sends it after a sign-in or a renewal. After a sign-in, pass it to
/// ``BasicAuthManager/update(_:)-(AuthenticationInfo)``. A ``TokenSource`` gets the token to replace in this form too.
public struct AuthenticationInfo: Codable, Hashable, Sendable, DescriptionOnly {
  /// The token that later requests carry.
  public var apiToken: String
  /// How long the token is valid, in seconds from now. 0 or less means expired after a sign-in, and an unknown lifetime
  /// after a renewal: a token that had expired would be renewed for each request.
  public var secondsRemaining: Int
  /// The token that the next renewal carries, if the service gives such tokens (RFC 6749, section 1.5).
  public var refreshToken: String?

  /// The refresh token. Some servers send an empty one where they mean none.
  var usableRefreshToken: String? { refreshToken.flatMap { $0.isEmpty ? nil : $0 } }

  /// Creates an authentication info. Each parameter sets the property of the same name.
  public init(apiToken: String, secondsRemaining: Int, refreshToken: String? = nil) {
    self.apiToken = apiToken
    self.secondsRemaining = secondsRemaining
    self.refreshToken = refreshToken
  }

  /// How long the token is valid, without the tokens.
  public var description: String { "AuthenticationInfo(secondsRemaining: \(secondsRemaining))" }
}
