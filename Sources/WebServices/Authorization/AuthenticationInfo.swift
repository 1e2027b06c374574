/// What a service answers to a sign-in or a renewal.
public struct AuthenticationInfo: Codable, Hashable, Sendable {
  /// The token that later requests carry.
  public var apiToken: String
  /// How long it is valid, in seconds from now.
  public var secondsRemaining: Int
  /// What the next renewal is to carry, where the service gives such tokens (RFC 6749, section 1.5).
  public var refreshToken: String?

  /// Creates an authentication info.
  public init(apiToken: String, secondsRemaining: Int, refreshToken: String? = nil) {
    self.apiToken = apiToken
    self.secondsRemaining = secondsRemaining
    self.refreshToken = refreshToken
  }
}

extension AuthenticationInfo: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How long the token is valid, without the tokens.
  public var description: String { "AuthenticationInfo(secondsRemaining: \(secondsRemaining))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// How long the token is valid, without the tokens.
  public var customMirror: Mirror { Mirror(self, children: ["secondsRemaining": secondsRemaining]) }
}
