public import Foundation

extension OAuth2 {
  /// Prepares a sign-in on the server's own web page, the authorization code flow (RFC 6749, section 4.1) with PKCE
  /// (RFC 7636).
  ///
  /// ```swift
  /// let signIn = oauth.signIn(at: authorizationURL, redirectURL: "com.example.shop:/signed-in")
  /// open(signIn.url)
  /// // When the browser opens your callback URL:
  /// let request = try signIn.tokenRequest(for: callbackURL)
  /// tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
  /// ```
  ///
  /// - Parameters:
  ///   - authorizationURL: the server's page.
  ///   - redirectURL: the URL that the browser opens afterwards, as registered for the client.
  ///   - parameters: more parameters for the page, such as `prompt`.
  public func signIn(at authorizationURL: URL, redirectURL: String, parameters: [String: String] = [:]) -> SignIn {
    // 32 random bytes make a verifier of 43 characters, as RFC 7636, section 4.1, recommends.
    let (verifier, state) = (SignIn.randomText(32), SignIn.randomText(16))
    let items = Self.items(
      [
        "response_type": "code", "client_id": client.id, "redirect_uri": redirectURL, "scope": scopeText,
        "state": state, "code_challenge": SignIn.challenge(of: verifier), "code_challenge_method": "S256",
      ], and: parameters)
    // A query after a fragment would become a part of the fragment, so the fragment is removed.
    let page = authorizationURL.absoluteString.prefix { $0 != "#" }
    let separator = page.contains("?") ? "&" : "?"
    // The default is never used: a URL stays valid when an escaped query is appended.
    let url = URL(string: page + separator + QueryEncoder.Escaping.strict.query(of: items)) ?? authorizationURL
    return SignIn(url: url, oauth: self, redirectURL: redirectURL, verifier: verifier, state: state)
  }

  /// A sign-in in progress. Open ``url`` in a browser, then pass the callback URL to ``tokenRequest(for:)``. Keep the
  /// value until then, because each sign-in has its own state and verifier.
  public struct SignIn: Sendable, DescriptionOnly {
    /// The page to open in a browser.
    public let url: URL
    fileprivate let oauth: OAuth2
    fileprivate let redirectURL: String
    fileprivate let verifier: String
    fileprivate let state: String

    /// Makes the request for the token. Its response is an ``OAuth2/Token``.
    ///
    /// - Parameter callbackURL: the redirect URL with the parameters that the server added.
    /// - Throws: a ``Failure`` if the sign-in was refused, or if the URL has no code or belongs to another sign-in.
    public func tokenRequest(for callbackURL: URL) throws(Failure) -> Request {
      // The callback's query is form-encoded (RFC 6749, section 4.1.2), where `+` stands for a space.
      let text = callbackURL.absoluteString.replacingOccurrences(of: "+", with: "%20")
      let items = (try? URLReference(text))?.queryItems ?? []
      func value(_ name: String) throws(Failure) -> String? {
        let values = items.filter { $0.name == name }
        // A parameter must not occur twice (RFC 6749, section 3.1).
        guard values.count < 2 else { throw .noCode }
        return values.first?.value
      }
      // The page of another sign-in, or an attacker's page, may have led here.
      guard try value("state") == state else { throw .wrongState }
      // A hostile server may lead the browser to this one, and would get this one's code from a client that takes it
      // for its own (RFC 9207, section 1).
      if let issuer = try value("iss"), let expected = oauth.issuer, issuer != expected { throw .wrongIssuer(issuer) }
      if let code = try value("error") {
        throw .refused(
          OAuth2.ServerError(OAuth2.ServerError.Code(rawValue: code), message: try value("error_description")))
      }
      guard let code = try value("code"), !code.isEmpty else { throw .noCode }
      return oauth.tokenRequest(.authorizationCode(code, redirectURL: redirectURL, verifier: verifier))
    }

    /// The code challenge of a verifier (RFC 7636, section 4.2).
    static func challenge(of verifier: String) -> String { Data(SHA256.hash(verifier.utf8)).base64URL }

    static func randomText(_ count: Int) -> String {
      Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }).base64URL
    }

    /// The URL's page, without the state.
    public var description: String {
      "OAuth2.SignIn(\(Redaction.standard.url(String(url.absoluteString.prefix { $0 != "?" }))))"
    }

    /// The reason why a callback URL is refused.
    public enum Failure: DescribedByLibrary, Hashable, Sendable {
      /// The server or the user has refused the sign-in.
      case refused(OAuth2.ServerError)
      /// The URL belongs to another sign-in.
      case wrongState
      /// The URL comes from this server, which isn't ``OAuth2/issuer``.
      case wrongIssuer(String)
      /// The URL has no code, or a parameter twice.
      case noCode

      /// The reason in words for developers.
      public var description: String {
        switch self {
        case .refused(let error): "the sign-in was refused: \(error)"
        case .wrongState: "the callback URL belongs to another sign-in"
        case .wrongIssuer(let issuer): "the callback URL comes from another issuer, \(Redaction.standard.url(issuer))"
        case .noCode: "the callback URL has no code, or has a parameter twice"
        }
      }
    }
  }
}

extension Data {
  /// Base64 with the alphabet for URLs (RFC 4648, section 5), without padding.
  fileprivate var base64URL: String {
    base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}
