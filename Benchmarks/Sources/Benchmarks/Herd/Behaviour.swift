import WebServices

/// The clients' reactions to failures.
enum Behaviour: String, CaseIterable, Sendable {
  /// All policies of the library with their default settings.
  case policies
  /// No retries: a failed request has failed.
  case plain
  /// The usual quick solution: three more attempts at once.
  case naive

  var title: String {
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
    case .naive: RetryPolicy(attemptLimit: 4, backoff: RetryPolicy.Backoff(base: 0))
    }
  }

  var budget: RetryPolicy.Budget { self == .policies ? RetryPolicy.Budget() : .unlimited }
  var breaker: CircuitBreakerPolicy? { self == .policies ? .standard : nil }

  /// The rate limit: one and a half times the client's average, with room for random bursts of a second.
  func rate(normally requestsPerSecond: Double) -> RequestLimits.Rate? {
    self == .policies
      ? RequestLimits.Rate(requestsPerSecond: requestsPerSecond * 1.5, burst: Int(requestsPerSecond.rounded(.up))) : nil
  }
}
