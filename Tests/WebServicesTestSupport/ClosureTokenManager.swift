/// A token manager that is made of closures. Unless they say otherwise, it delivers `token-0`, and has no other token.
struct ClosureTokenManager: WebServiceTokenManageable {
  typealias Completion = @Sendable (Result<AccessToken, any Error>) -> Void

  var ensure: @Sendable (@escaping Completion) -> Void = { $0(.success(AccessToken(value: "token-0"))) }
  var replace: @Sendable (@escaping Completion) -> Void = { $0(.failure(TokenError.expired)) }

  func ensureValidToken(ofType type: WebServiceAuthorizationType, completion: @escaping Completion) {
    ensure(completion)
  }

  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping Completion
  ) { replace(completion) }
}
