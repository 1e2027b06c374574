public import Foundation

extension OAuth2 {
  /// A request to the server: for a token, whose response is an ``OAuth2/Token``, or to revoke one.
  ///
  /// A response with an error fails with an ``OAuth2/ServerError`` underneath. Redirects aren't followed: they would carry
  /// secrets. An `http` URL fails with ``WebServiceError/Kind/badURL``, except at this machine itself.
  public struct Request: WebServiceRequestData {
    let url: URL
    let client: Client
    let items: [URLQueryItem]
    /// Secret values that the redaction can't recognize by their names. Descriptions hide these values.
    let secrets: [String]
    var isIdempotent: Bool?

    /// The URL of the server.
    public var path: String { url.absoluteString }
    /// `.post`
    public var method: HTTPMethod { .post }
    /// The parameters, with those of the client unless they are in the header.
    public var body: RequestBody? { .form(items + clientItems) }
    /// The client's id and secret (RFC 6749, section 2.3.1), or `.none` if the body has them.
    public var authorization: WebServiceAuthorizationType {
      guard let secret = client.secret, client.placement == .basic else { return .none }
      // Both are form-encoded first (RFC 6749, section 2.3.1), so that a colon in the id is allowed.
      return .basic(user: client.id.percentEncoded(.form), password: secret.percentEncoded(.form))
    }
    /// Options that follow no redirect and map errors to ``OAuth2/ServerError``.
    public var options: RequestOptions {
      RequestOptions {
        $0.redirects = .doNotFollow
        $0.needsSecureURL = true
        $0.validators = [.oauth2]
        // The configuration's decoder may convert names.
        $0.decoder = JSONDecoder()
        $0.secrets = secrets + [client.secret].compactMap { $0 }
        $0.isIdempotent = isIdempotent
      }
    }

    /// The credentials, unless they are in the header. A public client has none, and names itself in the body (RFC
    /// 6749, section 3.2.1).
    private var clientItems: [URLQueryItem] {
      client.secret != nil && client.placement == .basic
        ? [] : OAuth2.items(["client_id": client.id, "client_secret": client.secret])
    }
  }

  var scopeText: String? { scope.isEmpty ? nil : scope.joined(separator: " ") }

  static func items(_ pairs: KeyValuePairs<String, String?>, and parameters: [String: String] = [:]) -> [URLQueryItem] {
    pairs.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
      + parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
  }

  /// Makes the request for a token. Its response is an ``OAuth2/Token``.
  ///
  /// ```swift
  /// let request = oauth.tokenRequest(.password(user: "ada", password: password))
  /// tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
  /// ```
  public func tokenRequest(_ grant: Grant) -> Request {
    var secrets: [String] = []
    if case .authorizationCode(let code, _, _) = grant { secrets = [code] }
    let proof: KeyValuePairs<String, String?> =
      switch grant {
      case .clientCredentials: ["scope": scopeText]
      case .password(let user, let password): ["username": user, "password": password, "scope": scopeText]
      case .refreshToken(let token): ["refresh_token": token]
      case .authorizationCode(let code, let redirectURL, let verifier):
        ["code": code, "redirect_uri": redirectURL, "code_verifier": verifier]
      }
    let items = Self.items(["grant_type": grant.description]) + Self.items(proof, and: parameters)
    return Request(url: tokenURL, client: client, items: items, secrets: secrets)
  }

  /// Makes the request that revokes a token (RFC 7009). It revokes the refresh token if there is one, which ends the
  /// access token too. Get the token from ``BasicAuthManager/renewableToken`` before you sign the user out, and read
  /// the response as `.nothing`.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - revocationURL: the server's URL for revocations.
  public func revocationRequest(of token: RenewableToken, at revocationURL: URL) -> Request {
    let hint = token.refreshToken == nil ? "access_token" : "refresh_token"
    let items = Self.items(["token": token.refreshToken ?? token.apiToken, "token_type_hint": hint])
    // Idempotent: a token that is revoked already isn't an error (RFC 7009, section 2.2).
    return Request(url: revocationURL, client: client, items: items, secrets: [], isIdempotent: true)
  }
}

extension OAuth2.Request: DescriptionOnly {
  /// The URL and the kind of grant, without secrets.
  public var description: String {
    let grant = items.first { $0.name == "grant_type" }?.value
    return "OAuth2.Request(\(grant ?? "revocation"), \(Redaction.standard.url(path)))"
  }
}
