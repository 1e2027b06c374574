import WebServices

/// What one client keeps between its requests: the same values that the engine keeps.
struct SimulatedClient {
  let budget: RetryBudget
  var breaker: CircuitBreaker?
  var bucket: TokenBucket?

  init(_ behaviour: Behaviour, _ scenario: Scenario) {
    budget = RetryBudget(behaviour.budget)
    breaker = behaviour.breaker.map { CircuitBreaker($0) }
    bucket = behaviour.rate(normally: scenario.requestsPerSecond).map { TokenBucket($0) }
  }
}

extension SimulatedServer.Answer {
  var outcome: ExchangeOutcome {
    switch self {
    case .success: .answered(statusCode: 200, headers: [:])
    case .unavailable: .answered(statusCode: 503, headers: [:])
    case .timedOut: .failed(TransportError(.timedOut(.whole), message: "", mayHaveReachedServer: true))
    }
  }
}
