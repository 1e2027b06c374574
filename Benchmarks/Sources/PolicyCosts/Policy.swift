import Foundation
import WebServices

/// A policy of the library, switched on with nothing to do.
package struct Policy: Sendable {
  package let identifier: String
  let name: String
  let configure: @Sendable (inout WebServiceConfiguration) -> Void

  /// What all others are compared with: every policy is off.
  static let none = Policy(identifier: "none", name: "none") { _ in }

  static let single: [Policy] = [
    Policy(identifier: "retry", name: "retry policy") { $0.retry = .standard },
    Policy(identifier: "budget", name: "retry budget") { $0.retryBudget = RetryBudget(.standard) },
    Policy(identifier: "deadline", name: "deadline") { $0.deadline = 30 },
    Policy(identifier: "limits", name: "limits (places, rate, the server's word)") {
      $0.limits = RequestLimits(
        maximumConcurrentRequestsPerHost: 64, rate: RateLimit(requestsPerSecond: 1_000_000, burst: 1_000_000))
    },
    Policy(identifier: "breaker", name: "circuit breaker") { $0.circuitBreaker = .standard },
    Policy(identifier: "coalescing", name: "coalescing") { $0.coalescesRequests = true },
    Policy(identifier: "cache", name: "cache in memory, answers with no-store") { $0.cache = ResponseCache() },
    Policy(identifier: "monitor", name: "a monitor (RequestMetrics)") { $0.monitors = [RequestMetrics()] },
  ]

  static let all = Policy(identifier: "all", name: "all together") { configuration in
    single.forEach { $0.configure(&configuration) }
  }

  /// In the order of the report.
  package static let compared = single + [all]
}
