/// Gives the library the token that a request needs, and renews it first when it is about to expire.
public protocol WebServiceTokenManageable: Sendable {
  /// Gives a token that stays valid for a while.
  ///
  /// The library calls it on the thread that sends the request or, for another attempt, on a queue of its own.
  ///
  /// - Parameters:
  ///   - type: where the token will go; never a type that needs none.
  ///   - completion: called once, on any thread, also before this method returns. On failure the request isn't sent: it
  ///     fails with an error of kind `.token` that has this error underneath.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Does the same as `ensureValidToken(ofType:completion:)` for a service. The library calls this form. Unless it is
  /// implemented, it calls the form without a service.
  ///
  /// - Parameters:
  ///   - type: where the token will go; never a type that needs none.
  ///   - service: the service whose request needs the token. A renewal through another service would send its secrets to
  ///     the host of that service.
  ///   - completion: called once, on any thread, also before this method returns.
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Gives another token in place of a token that a server has refused (status 401, RFC 9110, section 15.5.2). Unless it
  /// is implemented, it fails, and the request fails with the 401.
  ///
  /// A manager that has a token of a newer generation gives that token. A manager that is renewing a token waits for the
  /// renewal. Otherwise the manager renews the token once. The library calls it on a queue of its own.
  ///
  /// - Parameters:
  ///   - token: the refused token, as `ensureValidToken` gave it.
  ///   - type: where the token was sent.
  ///   - service: the service whose request was refused.
  ///   - completion: called once, on any thread, also before this method returns. With `TokenError.expired` the request
  ///     fails with the 401. With any other error it fails with an error of kind `.token` that has that error underneath.
  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void)

  /// Tells the manager about a service that may ask it for tokens. Every service calls it when it is made. The manager must
  /// hold the service weakly. Unless it is implemented, it does nothing.
  func attach(to service: any JsonWebServiceable)
}

extension WebServiceTokenManageable {
  /// Fails with `TokenError.expired`.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
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

  /// Does nothing.
  public func attach(to service: any JsonWebServiceable) {}
}

/// A token and its generation: the first since sign-in, or one of its renewals.
public struct AccessToken: Hashable, Sendable {
  /// The text that is sent.
  public let value: String
  /// Grows with every token of a manager, so that a late response can be matched with the token of its request.
  public let generation: Int

  /// Creates a token.
  public init(value: String, generation: Int = 0) {
    self.value = value
    self.generation = generation
  }
}

extension AccessToken: DescriptionOnly {
  /// The generation, without the token.
  public var description: String { "AccessToken(generation: \(generation))" }
}
