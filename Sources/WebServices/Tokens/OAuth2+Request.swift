public import Foundation

extension OAuth2 {
  var scopeText: String? { scope.isEmpty ? nil : scope.joined(separator: " ") }

  static func items(_ pairs: KeyValuePairs<String, String?>, and parameters: [String: String] = [:]) -> [URLQueryItem] {
    pairs.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
      + parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
  }

  /// Makes the request for a token. Its response is an ``OAuth2/Token``.
  ///
  /// A response with an error fails with an ``OAuth2/ServerError`` underneath. Redirects aren't followed: they would
  /// carry secrets. An `http` URL fails with ``WebServiceError/Kind/badURL``, except at this machine itself.
  ///
  /// ```swift
  /// let request = oauth.tokenRequest(.password(user: "ada", password: password))
  /// tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
  /// ```
  public func tokenRequest(_ grant: Grant) -> Request {
    let secrets = if case .authorizationCode(let code, _, _) = grant { [code] } else { [String]() }
    let proof: KeyValuePairs<String, String?> =
      switch grant {
      case .clientCredentials: ["scope": scopeText]
      case .password(let user, let password): ["username": user, "password": password, "scope": scopeText]
      case .refreshToken(let token): ["refresh_token": token]
      case .authorizationCode(let code, let redirectURL, let verifier):
        ["code": code, "redirect_uri": redirectURL, "code_verifier": verifier]
      }
    let items = Self.items(["grant_type": grant.description]) + Self.items(proof, and: parameters)
    return request(to: tokenURL, items, secrets: secrets)
  }

  /// Makes the request that revokes a token (RFC 7009). It revokes the refresh token if there is one, which ends the
  /// access token too. Get the token from ``BasicAuthManager/authenticationInfo`` before you sign the user out, and
  /// read the response as `.nothing`.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - revocationURL: the server's URL for revocations.
  public func revocationRequest(of token: AuthenticationInfo, at revocationURL: URL) -> Request {
    let hint = token.refreshToken == nil ? "access_token" : "refresh_token"
    let items = Self.items(["token": token.refreshToken ?? token.apiToken, "token_type_hint": hint])
    // Idempotent: a token that is revoked already isn't an error (RFC 7009, section 2.2).
    return request(to: revocationURL, items, isIdempotent: true)
  }

  /// - Parameter secrets: secret values that the redaction can't recognize by their names. Descriptions hide these
  ///   values.
  private func request(
    to url: URL, _ items: [URLQueryItem], secrets: [String] = [], isIdempotent: Bool? = nil
  ) -> Request {
    var authorization = WebServiceAuthorizationType.none
    var credentials: [URLQueryItem] = []
    if let secret = client.secret, client.placement == .basic {
      // Both are form-encoded first (RFC 6749, section 2.3.1), so that a colon in the id is allowed.
      authorization = .basic(user: client.id.percentEncoded(.form), password: secret.percentEncoded(.form))
    } else {
      // A public client has no secret, and names itself in the body (RFC 6749, section 3.2.1).
      credentials = Self.items(["client_id": client.id, "client_secret": client.secret])
    }
    let options = RequestOptions {
      $0.redirects = .doNotFollow
      $0.needsSecureURL = true
      $0.validators = [.oauth2]
      // The configuration's decoder may convert names.
      $0.decoder = JSONDecoder()
      $0.secrets = secrets + [client.secret].compactMap { $0 }
      $0.isIdempotent = isIdempotent
    }
    return Request(
      url.absoluteString, .post, body: .form(items + credentials), authorization: authorization, options: options)
  }
}
