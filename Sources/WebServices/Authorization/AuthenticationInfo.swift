/// What a service answers to a sign-in or a renewal.
public struct AuthenticationInfo: Codable, Hashable, Sendable {
  /// The token that later requests carry.
  public var apiToken: String
  /// How long it is valid, in seconds from now.
  public var secondsRemaining: Int

  /// Creates an authentication info.
  public init(apiToken: String, secondsRemaining: Int) {
    self.apiToken = apiToken
    self.secondsRemaining = secondsRemaining
  }
}

extension AuthenticationInfo: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How long the token is valid, without the token.
  public var description: String { "AuthenticationInfo(secondsRemaining: \(secondsRemaining))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// How long the token is valid, without the token.
  public var customMirror: Mirror { Mirror(self, children: ["secondsRemaining": secondsRemaining]) }
}
