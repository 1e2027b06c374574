import Foundation
import WebServices

/// The state that one simulated client keeps between requests. The types are the library's own, so the simulation tests
/// the real policies.
struct SimulatedClient {
  let budget: RetryPolicy.Budget
  var breaker: CircuitBreaker?
  var bucket: TokenBucket?

  init(_ behaviour: Behaviour, _ scenario: Scenario) {
    budget = behaviour.budget
    breaker = behaviour.breaker.map { CircuitBreaker($0) }
    bucket = behaviour.rate(normally: scenario.requestsPerSecond).map { TokenBucket($0) }
  }
}

extension SimulatedServer.Response {
  private static let url = URL(fileURLWithPath: "/")

  var outcome: Result<WebServiceResponse, TransportError> {
    switch self {
    case .success: .success(WebServiceResponse(statusCode: 200, url: Self.url))
    case .unavailable: .success(WebServiceResponse(statusCode: 503, url: Self.url))
    case .timedOut: .failure(TransportError(.timedOut(.whole), message: "", mayHaveReachedServer: true))
    }
  }
}
