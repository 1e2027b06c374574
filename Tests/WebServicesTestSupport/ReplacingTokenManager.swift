/// Delivers the tokens `token-0`, `token-1`, … in order. Each later token replaces a refused one.
final class ReplacingTokenManager: WebServiceTokenManageable {
  typealias Completion = @Sendable (Result<AccessToken, any Error>) -> Void

  /// The refused tokens.
  let refused = Collector<String>()
  private let error: (any Error)?

  init(error: (any Error)? = nil) { self.error = error }

  func ensureValidToken(ofType type: WebServiceAuthorizationType, completion: @escaping Completion) {
    completion(.success(AccessToken(value: "token-0")))
  }

  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping Completion
  ) {
    refused.append(token.value)
    completion(error.map { .failure($0) } ?? .success(AccessToken(value: "token-1", generation: token.generation + 1)))
  }
}
