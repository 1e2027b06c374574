/// Gives the engine the token that a request needs, and renews it first where it is about to expire.
public protocol WebServiceTokenManageable: Sendable {
  /// Gives a token that is valid for a while yet.
  ///
  /// It is called on the thread that sends the request or, for another attempt, on a queue of the library's.
  ///
  /// - Parameters:
  ///   - type: where the token will go; never a type that needs none.
  ///   - completion: called once, on any thread, also before this returns. On failure the request isn't sent and fails
  ///     with an error of kind `.token` that has this error underneath.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Gives another token in place of one that a server has refused (status 401, RFC 9110, section 15.5.2). Refuses
  /// unless it is implemented, so that the 401 is the answer.
  ///
  /// It is called on a queue of the library's, never on the transport's thread.
  ///
  /// A manager that has a token of a newer generation already gives that one; one that renews a token already waits for
  /// it; else it renews once.
  ///
  /// - Parameters:
  ///   - token: the token that was refused, as `ensureValidToken` gave it.
  ///   - type: where the token was sent.
  ///   - completion: called once, on any thread, also before this returns. `TokenError.expired` lets the 401 stand as the
  ///     answer; with any other error the request fails with an error of kind `.token` that has it underneath.
  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Does what `ensureValidToken(ofType:completion:)` does, and is told which service asks. The library calls this form.
  /// Calls the form without a service unless it is implemented.
  ///
  /// - Parameters:
  ///   - type: where the token will go; never a type that needs none.
  ///   - service: the service whose request needs the token. A renewal through another service would send its secrets to
  ///     that service's host.
  ///   - completion: called once, on any thread, also before this returns.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Does what `replaceRefusedToken(_:ofType:completion:)` does, and is told which service asks. The library calls this
  /// form. Calls the form without a service unless it is implemented.
  ///
  /// - Parameters:
  ///   - token: the token that was refused, as `ensureValidToken` gave it.
  ///   - type: where the token was sent.
  ///   - service: the service whose request was refused.
  ///   - completion: called once, on any thread, also before this returns.
  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Tells the manager of a service that may ask it for tokens. Every service calls it when it is made; the manager has
  /// to hold the service weakly. A service that never asks for a token has nothing to do with renewals. Does nothing
  /// unless it is implemented.
  func attach(to service: any JsonWebServiceable)
}

extension WebServiceTokenManageable {
  /// Has no other: refuses with `TokenError.expired`.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    completion(.failure(TokenError.expired))
  }

  /// Calls the form without a service.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    ensureValidToken(ofType: type, completion: completion)
  }

  /// Calls the form without a service.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    replaceRefusedToken(token, ofType: type, completion: completion)
  }

  /// Does nothing.
  public func attach(to service: any JsonWebServiceable) {}
}
