extension LoopbackServer {
  /// What a 401 asks for. Any text can be written as a literal.
  public struct Challenge: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The value of the field.
    public var text: String

    /// Creates a challenge from the value of the field.
    public init(stringLiteral value: String) {
      text = value
    }

    /// User name and password.
    public static let basic: Challenge = #"Basic realm="test""#
    /// A digest of the password.
    public static let digest: Challenge = #"Digest realm="test", qop="auth", algorithm=MD5, nonce="6d3f1a""#
    /// A token.
    public static let bearer: Challenge = #"Bearer realm="test", error="invalid_token""#
    /// Kerberos or NTLM.
    public static let negotiate: Challenge = "Negotiate"
    /// A scheme that nobody knows.
    public static let unknown: Challenge = #"Feather realm="test""#
  }
}
