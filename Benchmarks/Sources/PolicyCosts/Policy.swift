import Foundation
import WebServices

/// A policy of the library, switched on with nothing to do.
package struct Policy: Sendable {
  package let name: String
  let configure: @Sendable (inout WebServiceConfiguration) -> Void

  /// What all others are compared with: every policy is off.
  static let none = Policy(name: "none") { _ in }

  static let single: [Policy] = [
    Policy(name: "retry policy") { $0.retry = .standard },
    Policy(name: "retry budget") { $0.retryBudget = RetryBudget(.standard) },
    Policy(name: "deadline") { $0.deadline = 30 },
    Policy(name: "limits (places, rate, the server's word)") {
      $0.limits = RequestLimits(
        maximumConcurrentRequestsPerHost: 64, rate: RateLimit(requestsPerSecond: 1_000_000, burst: 1_000_000))
    },
    Policy(name: "circuit breaker") { $0.circuitBreaker = .standard },
    Policy(name: "coalescing") { $0.coalescesRequests = true },
    Policy(name: "cache in memory, answers with no-store") { $0.cache = ResponseCache() },
    Policy(name: "a monitor (RequestMetrics)") { $0.monitors = [RequestMetrics()] },
  ]

  static let all = Policy(name: "all together") { configuration in
    single.forEach { $0.configure(&configuration) }
  }

  /// In the order of the report.
  package static let compared = single + [all]
}
