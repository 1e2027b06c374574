/// The outcome that a completion handler is given.
public enum WebServiceResult<Model> {
  /// The decoded model; `nil` is an answer without a body (204, 205, an answer to HEAD, or a length of 0).
  case success(Model?)
  /// Why there is no model. The error is always there; the optional is what the type's users have come to expect.
  case failure(WebServiceError?)
}

extension WebServiceResult: Sendable where Model: Sendable {}

extension WebServiceResult: Equatable where Model: Equatable {}

extension WebServiceResult {
  /// The model of a success that has one.
  public var model: Model? {
    guard case .success(let model) = self else { return nil }
    return model
  }

  /// The error of a failure.
  public var error: WebServiceError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
