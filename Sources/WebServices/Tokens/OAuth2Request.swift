public import Foundation

extension OAuth2 {
  /// A request to the server: for a token, whose response is an ``OAuth2Token``, or to revoke one.
  ///
  /// A response with an error fails with an ``OAuth2Error`` underneath. Redirects aren't followed: they would carry
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
    /// Options that follow no redirect and map errors to ``OAuth2Error``.
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

    private var clientItems: [URLQueryItem] {
      switch (client.secret, client.placement) {
      // A public client has no credentials, and names itself in the body (RFC 6749, section 3.2.1).
      case (nil, _): [URLQueryItem(name: "client_id", value: client.id)]
      case (_, .basic): []
      case (let secret, .body):
        [URLQueryItem(name: "client_id", value: client.id), URLQueryItem(name: "client_secret", value: secret)]
      }
    }
  }

  /// Makes the request for a token. Its response is an ``OAuth2Token``.
  ///
  /// ```swift
  /// let request = oauth.tokenRequest(.password(user: "ada", password: password))
  /// tokens.update(try await service.sendRequest(request, as: OAuth2Token.self))
  /// ```
  public func tokenRequest(_ grant: Grant) -> Request {
    var items = [URLQueryItem(name: "grant_type", value: grant.description)]
    var secrets: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { items.append(URLQueryItem(name: name, value: value)) }
    }
    let scope = scope.isEmpty ? nil : scope.joined(separator: " ")
    switch grant {
    case .clientCredentials:
      add("scope", scope)
    case .password(let user, let password):
      add("username", user)
      add("password", password)
      add("scope", scope)
    case .refreshToken(let token):
      add("refresh_token", token)
    case .authorizationCode(let code, let redirectURL, let verifier):
      add("code", code)
      add("redirect_uri", redirectURL)
      add("code_verifier", verifier)
      secrets = [code]
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { add(name, value) }
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
    let items = [
      URLQueryItem(name: "token", value: token.refreshToken ?? token.apiToken),
      URLQueryItem(name: "token_type_hint", value: hint),
    ]
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
