extension LoopbackServer {
  /// A challenge in a 401 response. A string literal is the whole value of the header field.
  public struct Challenge: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The value of the field.
    public var text: String

    /// Creates a challenge from the value of the field.
    public init(stringLiteral value: String) {
      text = value
    }

    /// A challenge for user name and password.
    public static let basic: Challenge = #"Basic realm="test""#
    /// A challenge for a digest of the password.
    public static let digest: Challenge = #"Digest realm="test", qop="auth", algorithm=MD5, nonce="6d3f1a""#
    /// A challenge for a token.
    public static let bearer: Challenge = #"Bearer realm="test", error="invalid_token""#
    /// A challenge for Kerberos or NTLM.
    public static let negotiate: Challenge = "Negotiate"
    /// A challenge with an unknown scheme.
    public static let unknown: Challenge = #"Feather realm="test""#
  }
}
