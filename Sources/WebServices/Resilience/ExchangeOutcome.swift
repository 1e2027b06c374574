/// How one exchange ended, as far as retrying, circuit breakers and limits look at it.
public enum ExchangeOutcome: Sendable {
  /// A whole answer came, whatever its status.
  case answered(statusCode: Int, headers: HTTPHeaders)
  /// No whole answer came.
  case failed(TransportError)

  /// The outcome of an exchange as a transport reports it.
  public init(_ result: Result<WebServiceResponse, TransportError>) {
    switch result {
    case .success(let response): self = .answered(statusCode: response.statusCode, headers: response.headers)
    case .failure(let error): self = .failed(error)
    }
  }
}
