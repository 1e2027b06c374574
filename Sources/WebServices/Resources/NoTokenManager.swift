/// For services whose requests name no token: it has none, and leaves the shared manager to the service that it belongs
/// to.
struct NoTokenManager: WebServiceTokenManageable {
  func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    completion(.failure(TokenError.notSignedIn))
  }
}
