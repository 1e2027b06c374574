import WebServices

/// What the clients do about failures.
package enum Behaviour: String, CaseIterable, Sendable {
  /// Every policy of the library, as it comes.
  case policies
  /// Nothing: a request that fails has failed.
  case plain
  /// What is soon written by hand: three more attempts at once.
  case naive

  package var title: String {
    switch self {
    case .policies: "retry policy, budget, circuit breaker and rate limit"
    case .plain: "no policy"
    case .naive: "three retries at once"
    }
  }

  var retry: RetryPolicy {
    switch self {
    case .policies: .standard
    case .plain: .none
    case .naive: RetryPolicy(maximumAttempts: 4, backoff: Backoff(base: 0))
    }
  }

  var budget: RetryBudget.Policy { self == .policies ? .standard : .unlimited }
  var breaker: CircuitBreakerPolicy? { self == .policies ? .standard : nil }

  /// Half as much again as a client sends on average, and what comes by chance in a second.
  func rate(normally requestsPerSecond: Double) -> RateLimit? {
    self == .policies
      ? RateLimit(requestsPerSecond: requestsPerSecond * 1.5, burst: Int(requestsPerSecond.rounded(.up))) : nil
  }
}
