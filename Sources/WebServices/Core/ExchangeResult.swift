import Foundation

/// How an exchange ended.
enum ExchangeResult: Sendable {
  case ended(Result<WebServiceResponse, TransportError>, Source = .network)
  /// It wasn't begun: the host keeps failing.
  case circuitOpen(CircuitOpenError)
  /// It wasn't begun: there is no network.
  case noNetwork

  /// Where an answer comes from.
  enum Source: Sendable {
    /// From an exchange of the request's own.
    case network
    /// From the exchange of an equal request, which tells of it.
    case other
    /// From the cache: asking again would bring the same.
    case cache
  }

  /// Whether the library tried to send the request.
  var isOfAttempt: Bool {
    if case .ended(.failure(let error), _) = self { error.isOfAttempt } else { true }
  }

  /// The same with the fragment that belongs to the request's URL.
  func with(fragment: String?) -> ExchangeResult {
    guard fragment != nil, case .ended(let result, let source) = self else { return self }
    switch result {
    case .success(let response):
      return .ended(.success(response.with(fragment: fragment)), source)
    case .failure(var error):
      error.response = error.response?.with(fragment: fragment)
      return .ended(.failure(error), source)
    }
  }

  /// The same for one that only took part.
  var shared: ExchangeResult {
    guard case .ended(let result, .network) = self else { return self }
    return .ended(result, .other)
  }
}

extension ExchangeResult {
  /// It was cancelled while something held it up.
  static var cancelledInQueue: ExchangeResult {
    .ended(
      .failure(
        TransportError(.cancelled, message: "it was cancelled before it was sent", mayHaveReachedServer: false)))
  }
}

extension WebServiceResponse {
  /// The same with a fragment of its URL.
  func with(fragment: String?) -> WebServiceResponse {
    guard let fragment, let url = URL(string: "\(url.absoluteString)#\(fragment)") else { return self }
    var response = self
    response.url = url
    return response
  }
}
