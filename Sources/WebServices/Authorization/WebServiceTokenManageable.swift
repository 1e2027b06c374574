/// Gives the engine the token that a request needs, and renews it first where it is about to expire.
public protocol WebServiceTokenManageable: Sendable {
  /// Gives a token that is valid for a while yet.
  ///
  /// - Parameters:
  ///   - type: where the token will go; never a type that needs none.
  ///   - completion: called once, on any thread, also before this returns. On failure the request isn't sent and fails
  ///     with an error of kind `.token` that has this error underneath.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Gives a token in place of one that a server has refused with 401.
  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Tells through which service the manager can renew. Every service calls it when it is made; what it is given is to
  /// be held weakly. Does nothing unless it is implemented.
  func attach(to service: any JsonWebServiceable)
}

extension WebServiceTokenManageable {
  /// Has no other: the 401 is the answer.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    completion(.failure(TokenError.expired))
  }

  /// Does nothing.
  public func attach(to service: any JsonWebServiceable) {}
}
