extension BasicAuthManager {
  /// A source that renews a token with one request.
  public struct RenewalSource: TokenSource {
    let parser: ResponseParser<AuthenticationInfo>
    let request: @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData

    /// Requests the next token.
    ///
    /// - Parameters:
    ///   - former: the token to replace. With `nil` the completion gets `TokenError.notSignedIn`.
    ///   - sender: sends the request that the source's closure makes.
    ///   - completion: called once, on any thread, possibly before this method returns.
    public func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      guard let former else { return completion(.failure(TokenError.notSignedIn)) }
      sender.send(request(former), parser: parser, completion: completion)
    }
  }
}

extension TokenSource where Self == BasicAuthManager.RenewalSource {
  /// Renews a token with one request, for a service that gives refresh tokens.
  ///
  /// One renewal at a time uses a refresh token, and none does after a response has brought another. A response without
  /// a refresh token means that the former one stays in use. A renewal that fails signs nobody out.
  ///
  /// - Parameter request: makes the request, on the thread that first needs a new token. Its response is an
  ///   ``AuthenticationInfo``; its authorization must need no token.
  public static func refreshToken(
    _ request: @escaping @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData
  ) -> BasicAuthManager.RenewalSource { BasicAuthManager.RenewalSource(parser: .json(), request: request) }

  /// Renews a token with one request whose response is a model of your own.
  ///
  /// ```swift
  /// .refreshToken(as: Renewed.self) { RequestDataForRefresh(token: $0) } info: { $0.info }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the model of the response.
  ///   - request: makes the request, as above.
  ///   - info: makes the token of the response. If it throws, the renewal fails.
  public static func refreshToken<Model: Decodable & Sendable>(
    as type: Model.Type, _ request: @escaping @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData,
    info: @escaping @Sendable (_ response: Model) throws -> AuthenticationInfo
  ) -> BasicAuthManager.RenewalSource {
    BasicAuthManager.RenewalSource(parser: ResponseParser.json(type).map(info), request: request)
  }
}
