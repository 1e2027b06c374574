/// The result that a completion handler receives.
public enum WebServiceResult<Model> {
  /// The decoded model; `nil` for a response without a body (204, 205, a response to HEAD, or a length of 0).
  case success(Model?)
  /// The error. It is never `nil`; the type is optional for source compatibility.
  case failure(WebServiceError?)

  /// The model of a success; `nil` for a failure or an empty response.
  public var model: Model? { if case .success(let model) = self { model } else { nil } }

  /// The error of a failure; `nil` for a success.
  public var error: WebServiceError? { if case .failure(let error) = self { error } else { nil } }
}

extension WebServiceResult: Sendable where Model: Sendable {}

extension WebServiceResult: Equatable where Model: Equatable {}
