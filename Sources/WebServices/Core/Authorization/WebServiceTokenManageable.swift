/// Gives the library the token that a request needs, and renews it first when it is about to expire.
public protocol WebServiceTokenManageable: Sendable {
  /// Provides a token that stays valid for a while.
  ///
  /// The library calls this on the thread that sends the request. For another attempt it calls this on its own queue.
  ///
  /// - Parameters:
  ///   - type: the place of the token in the request; never a type without a token.
  ///   - completion: called once, on any thread, possibly before this method returns. The request goes on within that
  ///     call, so no lock may be held. On failure the request isn't sent. It fails with an error of the kind `.token`
  ///     that has this error underneath.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Provides a token for a service's request. The library calls this form. Its default implementation calls
  /// ``ensureValidToken(ofType:completion:)``.
  ///
  /// - Parameters:
  ///   - type: the place of the token in the request; never a type without a token.
  ///   - service: the service whose request needs the token. A renewal through another service would send its secrets
  ///     to the host of that service.
  ///   - completion: called once, on any thread, possibly before this method returns.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// The token that can be sent at once; `nil` if the request has to wait for one. The library asks this first, and
  /// calls `ensureValidToken` for `nil`, which is the default. The call must return at once.
  ///
  /// - Parameter type: the place of the token in the request; never a type without a token.
  func validToken(ofType type: WebServiceAuthorizationType) -> AccessToken?

  /// Provides another token after a server has refused one (status 401, RFC 9110, section 15.5.2). The default
  /// implementation fails, and the request fails with the 401.
  ///
  /// A manager with a newer token provides that token. A manager that is renewing a token waits for the renewal.
  /// Otherwise the manager renews the token once. The library calls this on its own queue.
  ///
  /// - Parameters:
  ///   - token: the refused token, as ``ensureValidToken(ofType:through:completion:)`` provided it.
  ///   - type: the place of the token in the request.
  ///   - service: the service whose request was refused.
  ///   - completion: called once, on any thread, possibly before this method returns. With ``TokenError/expired`` the
  ///     request fails with the 401. With any other error it fails with an error of the kind `.token` that has that
  ///     error underneath.
  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// The token that the manager has, also if it has expired; `nil`, unless it is implemented. Without a network, a
  /// service reads its cache with this token. It sends nothing with it.
  var lastToken: AccessToken? { get }

  /// Tells the manager about a service that may ask it for tokens. Every service calls it when it is made. The manager
  /// must hold the service weakly. Unless it is implemented, it does nothing.
  func attach(to service: JsonWebService)
}

extension WebServiceTokenManageable {
  /// Fails with ``TokenError/expired``, on this thread and before this method returns.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) { completion(.failure(TokenError.expired)) }

  /// Calls ``ensureValidToken(ofType:completion:)``.
  ///
  /// - Parameters:
  ///   - type: the place of the token in the request.
  ///   - service: ignored.
  ///   - completion: runs where the called form runs it.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) { ensureValidToken(ofType: type, completion: completion) }

  /// `nil`
  public func validToken(ofType type: WebServiceAuthorizationType) -> AccessToken? { nil }

  /// `nil`
  public var lastToken: AccessToken? { nil }

  /// Does nothing.
  public func attach(to service: JsonWebService) {}
}
