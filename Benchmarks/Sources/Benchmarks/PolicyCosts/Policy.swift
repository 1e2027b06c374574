import Foundation
import WebServices

/// A policy of the library that has nothing to do.
struct Policy: Sendable {
  let identifier: String
  let name: String
  let configure: @Sendable (inout WebServiceConfiguration) -> Void

  /// The baseline: all policies are off.
  static let none = Policy(identifier: "none", name: "none") { _ in }

  /// Each layer is put before the one above, so that together they have the usual order.
  static let single: [Policy] = [
    Policy(identifier: "retry", name: "retry policy") { $0.retry = .standard },
    Policy(identifier: "budget", name: "retry budget") { $0.retryBudget = RetryPolicy.Budget() },
    Policy(identifier: "deadline", name: "deadline") { $0.deadline = 30 },
    Policy(identifier: "limits", name: "limits (concurrency, rate, server)") {
      $0.layers.insert(
        .limits(
          RequestLimits(
            concurrentRequestsPerHost: 64,
            rate: RequestLimits.Rate(requestsPerSecond: 1_000_000, burst: 1_000_000))),
        at: 0)
    },
    Policy(identifier: "breaker", name: "circuit breaker") { $0.layers.insert(.circuitBreaker(.standard), at: 0) },
    Policy(identifier: "coalescing", name: "coalescing") { $0.layers.insert(.coalescing, at: 0) },
    Policy(identifier: "cache", name: "cache in memory, responses with no-store") {
      $0.layers.insert(.cache(ResponseCache()), at: 0)
    },
    Policy(identifier: "monitor", name: "a monitor that ignores its events") { configuration in
      configuration.monitors = [SilentMonitor()]
    },
  ]

  static let all = Policy(identifier: "all", name: "all together") { configuration in
    single.forEach { $0.configure(&configuration) }
  }

  /// A policy with work to do, for comparison: it counts every request.
  static let metrics = Policy(identifier: "metrics", name: "RequestMetrics, which counts every request") {
    $0.monitors = [RequestMetrics()]
  }

  static let allWithMetrics = Policy(identifier: "all-metrics", name: "all together, with RequestMetrics") {
    all.configure(&$0)
    $0.monitors += [RequestMetrics()]
  }

  /// The policies in the order of the report.
  static let compared = single + [all, metrics, allWithMetrics]
}

/// A monitor that ignores its events.
private struct SilentMonitor: RequestMonitor {
  func record(_ event: RequestEvent) {}
}
