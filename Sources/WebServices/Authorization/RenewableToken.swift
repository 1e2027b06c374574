/// What a renewal has to work with.
public struct RenewableToken: Hashable, Sendable {
  /// The token that is about to expire, has expired or was refused.
  public let apiToken: String
  /// The refresh token that came with it last (RFC 6749, section 6), or `nil` where the service gave none.
  public let refreshToken: String?

  /// Creates a value.
  public init(apiToken: String, refreshToken: String? = nil) {
    self.apiToken = apiToken
    self.refreshToken = refreshToken
  }
}

extension RenewableToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whether there is a refresh token, without either token.
  public var description: String { "RenewableToken(\(refreshToken == nil ? "no refresh token" : "refresh token"))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Nothing: a token is no one's to look at.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
