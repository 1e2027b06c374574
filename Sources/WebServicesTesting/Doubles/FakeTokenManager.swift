public import WebServicesCore

/// A token manager that delivers a fixed token or a fixed error at once.
public final class FakeTokenManager: WebServiceTokenManageable {
  private struct State: Sendable {
    var result: Result<AccessToken, any Error>
    var requestedTypes: [WebServiceAuthorizationType] = []
  }

  private let state: Locked<State>

  /// Creates a manager that delivers this token.
  public init(token: String = "fake-token") {
    state = Locked(State(result: .success(AccessToken(value: token))))
  }

  /// Creates a manager that fails with this error.
  public init(error: any Error) {
    state = Locked(State(result: .failure(error)))
  }

  /// The authorization types of all calls, in order.
  public var requestedTypes: [WebServiceAuthorizationType] { state.withLock { $0.requestedTypes } }

  /// Delivers the token or the error.
  ///
  /// - Parameters:
  ///   - type: recorded in ``requestedTypes``.
  ///   - completion: called on this thread, before this method returns.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    let result = state.withLock { state in
      state.requestedTypes.append(type)
      return state.result
    }
    // Outside the lock, since the completion may ask for the next token.
    completion(result)
  }
}
