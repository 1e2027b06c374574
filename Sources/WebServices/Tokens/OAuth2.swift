public import Foundation

/// Gets tokens by OAuth 2 (RFC 6749). The value names the server, and the client that the app is registered as.
///
/// Pass it to a ``BasicAuthManager`` as its source. It renews tokens by their refresh tokens, or with
/// ``clientCredentials`` gets all tokens by the client's own credentials.
///
/// ```swift
/// let oauth = OAuth2(tokenURL: url, client: OAuth2.Client(id: "shop", secret: secret))
/// let tokens = BasicAuthManager(source: oauth.clientCredentials)
/// ```
///
/// The article <doc:UsingOAuth2> has samples.
public struct OAuth2: Sendable, DescriptionOnly, TokenSource {
  /// The URL that tokens are requested from: `https`, or `http` at this machine itself.
  public var tokenURL: URL
  /// The client that the app is registered as.
  public var client: Client
  /// The rights that tokens are requested for; the server decides if there are none.
  public var scope: [String]
  /// More parameters for all requests for tokens, such as `audience` or `resource` (RFC 8707).
  public var parameters: [String: String]
  /// The server's own name (``OAuth2/Metadata/issuer``). A sign-in whose callback names another issuer is refused (RFC
  /// 9207); `nil` accepts each.
  public var issuer: String?
  /// Whether tokens are requested with the client's own credentials.
  public private(set) var grantsFirstToken = false

  /// Creates a description of the server and the client. Each parameter sets the property of the same name.
  public init(
    tokenURL: URL, client: Client, scope: [String] = [], parameters: [String: String] = [:], issuer: String? = nil
  ) {
    self.tokenURL = tokenURL
    self.client = client
    self.scope = scope
    self.parameters = parameters
    self.issuer = issuer
  }

  /// The source that gets all tokens by the client's own credentials (RFC 6749, section 4.4). Nobody has to sign in. It
  /// takes no refresh token from the server (section 4.4.3).
  ///
  /// Give users who sign in another manager, because the client is no stand-in for a user. If a user's token is passed
  /// to the manager of this source, its refresh token renews it. When the server rejects the refresh token, the user is
  /// signed out: no request of the user goes on, and the next one gets a token of the client.
  public var clientCredentials: OAuth2 {
    var copy = self
    copy.grantsFirstToken = true
    return copy
  }

  /// The app as a client of the server.
  public struct Client: Hashable, Sendable, DescriptionOnly {
    /// The place of the client's secret in a request (RFC 6749, section 2.3.1).
    public enum SecretPlacement: Hashable, Sendable {
      /// `Authorization: Basic`, which every server takes.
      case basic
      /// The body, beside the other parameters.
      case body
    }

    /// The id that the server has given the client.
    public var id: String
    /// The secret; `nil` for a public client, such as an app on a device, which can't keep one.
    public var secret: String?
    /// The place of the client's secret in a request.
    public var placement: SecretPlacement

    /// Creates a client. Each parameter sets the property of the same name.
    public init(id: String, secret: String? = nil, placement: SecretPlacement = .basic) {
      self.id = id
      self.secret = secret
      self.placement = placement
    }

    /// The id, without the secret.
    public var description: String { "Client(id: \(id))" }
  }

  /// The proof that a token is requested with. Pass it to ``OAuth2/tokenRequest(_:)``.
  public enum Grant: Hashable, Sendable, DescriptionOnly {
    /// The client's own credentials (RFC 6749, section 4.4).
    case clientCredentials
    /// The name and the password of a user (RFC 6749, section 4.3). Prefer
    /// ``OAuth2/signIn(at:redirectURL:parameters:)``, which shows the password to the server alone.
    case password(user: String, password: String)
    /// A refresh token (RFC 6749, section 6).
    case refreshToken(String)
    /// The code that the server gave after a sign-in (RFC 6749, section 4.1), with the verifier of RFC 7636.
    /// ``OAuth2/SignIn`` makes it.
    case authorizationCode(String, redirectURL: String?, verifier: String?)

    /// The value of `grant_type`, without a secret.
    public var description: String {
      switch self {
      case .clientCredentials: "client_credentials"
      case .password: "password"
      case .refreshToken: "refresh_token"
      case .authorizationCode: "authorization_code"
      }
    }
  }

  /// The URL, without the secret.
  public var description: String { "OAuth2(tokenURL: \(Redaction.standard.url(tokenURL.absoluteString)))" }

  // MARK: As a source of tokens

  /// Whether only refresh tokens renew a token.
  public var needsRefreshToken: Bool { !grantsFirstToken }

  /// Requests a token by the refresh token. Without one, the source ``clientCredentials`` requests a token by the
  /// client's own credentials.
  ///
  /// - Parameters:
  ///   - former: the token to replace. Without its refresh token, any source but ``clientCredentials`` fails with
  ///     `TokenError.expired`.
  ///   - sender: sends the requests.
  ///   - completion: called once, on any thread, possibly before this method returns.
  public func requestToken(
    replacing former: AuthenticationInfo?, through sender: TokenSender,
    completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
  ) {
    let refreshToken = former?.refreshToken
    guard refreshToken != nil || grantsFirstToken else { return completion(.failure(TokenError.expired)) }
    let grant = refreshToken.map { Grant.refreshToken($0) } ?? .clientCredentials
    sender.send(tokenRequest(grant), as: Token.self) { result in
      completion(
        result.map { token in
          var info = token.info
          // A token with a refresh token is a user's.
          if refreshToken == nil { info.refreshToken = nil }
          return info
        })
    }
  }

  /// Whether the user has to sign in again, because the server has revoked the refresh token or it has expired.
  ///
  /// - Parameter error: the error of the request for a token.
  /// - Returns: `true` for the code `invalid_grant`.
  public func endsSession(_ error: any Error) -> Bool {
    (error as? WebServiceError)?.underlying(as: ServerError.self)?.code == .invalidGrant
  }
}
