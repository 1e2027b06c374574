extension OAuth2 {
  /// A token of a server that gives tokens by OAuth 2 (RFC 6749, section 5.1).
  public struct Token: Hashable, Sendable, DescriptionOnly {
    /// The token that requests carry, nearly always by `.bearer`.
    public var accessToken: String
    /// How many seconds the token is valid, if the server says so with a number above 0.
    public var expiresIn: Int?
    /// The token that the next renewal carries.
    public var refreshToken: String?
    /// The rights that the token has, separated by spaces. `nil` means the rights that were requested.
    public var scope: String?
    /// The user's identity in OpenID Connect. The library doesn't check its signature.
    public var idToken: String?

    /// The token in the form for a manager. A token without an expiry is used until a server refuses it.
    public var info: AuthenticationInfo {
      AuthenticationInfo(
        apiToken: accessToken, secondsRemaining: expiresIn ?? Int(TokenLifetime.longest), refreshToken: refreshToken)
    }

    /// The expiry and the rights, without the tokens.
    public var description: String {
      "OAuth2.Token(expiresIn: \(expiresIn.map(String.init) ?? "unknown"), scope: \(scope ?? "as requested"))"
    }
  }
}

extension OAuth2.Token: Decodable {
  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case expiresIn = "expires_in"
    case refreshToken = "refresh_token"
    case scope
    case idToken = "id_token"
  }

  /// Decodes the token. Some servers write the seconds as a string or a fraction, or the rights as an array. Any other
  /// value of a wrong type counts as missing: to refuse the response would lose its refresh token.
  ///
  /// - Throws: a `DecodingError` if there is no access token.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = try container.decode(String.self, forKey: .accessToken)
    refreshToken = try? container.decode(String.self, forKey: .refreshToken)
    scope =
      (try? container.decode(String.self, forKey: .scope))
      ?? (try? container.decode([String].self, forKey: .scope))?.joined(separator: " ")
    idToken = try? container.decode(String.self, forKey: .idToken)
    let text = try? container.decode(String.self, forKey: .expiresIn)
    let number = text.map(Double.init) ?? (try? container.decode(Double.self, forKey: .expiresIn))
    // Clamped first, because `Int` traps on a number that it can't hold.
    expiresIn = number.flatMap { $0 > 0 ? Int(TokenLifetime.clamped($0).rounded(.up)) : nil }
  }
}

extension BasicAuthManager {
  /// Sets the token of a sign-in, as ``update(_:)-(AuthenticationInfo)`` does with an ``AuthenticationInfo``.
  ///
  /// - Parameter token: the token of the sign-in. Without ``OAuth2/Token/expiresIn`` it is used until a server refuses
  ///   it.
  /// - Returns: whether the storage has saved the token; if not, the token ends with the process.
  @discardableResult public func update(_ token: OAuth2.Token) -> Bool { update(token.info) }
}
