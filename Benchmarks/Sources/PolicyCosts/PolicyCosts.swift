package import BenchmarkReport
import Foundation

/// Measures the cost of each policy for a request on which it has nothing to do.
///
/// Each round measures all policies directly one after another, and starts with another policy each time. The cost is
/// the median difference to the service without policies in the same round.
package struct PolicyCosts: Sendable {
  package struct Cost: Sendable {
    package let policy: String
    /// The additional nanoseconds per request.
    package let added: Spread
  }

  /// The nanoseconds per request without any policy.
  package let base: Spread
  package let costs: [Cost]
  package let rounds: Int
  package let requests: Int

  /// - Parameters:
  ///   - only: the policies to measure.
  ///   - requests: the number of requests for each policy in a round.
  package static func measured(only: [String], rounds: Int, requests: Int) async throws -> PolicyCosts? {
    let policies = [Policy.none] + Policy.compared.filter { only.contains($0.identifier) }
    let services = policies.map(PolicyService.init)
    // A warm-up.
    for service in services { _ = try await service.measure(requests: requests) }
    var times: [[Double]] = Array(repeating: [], count: services.count)
    for round in 0..<rounds {
      for index in services.indices.map({ ($0 + round) % services.count }) {
        times[index].append(try await services[index].measure(requests: requests))
      }
    }
    return PolicyCosts(policies: policies, times: times, requests: requests)
  }

  /// - Parameter times: the times of each policy by round. The first entry is the one without policies.
  private init?(policies: [Policy], times: [[Double]], requests: Int) {
    guard let baseTimes = times.first, let base = Spread(quartilesOf: baseTimes) else { return nil }
    self.base = base
    rounds = baseTimes.count
    self.requests = requests
    costs = zip(policies, times).dropFirst().compactMap { policy, times in
      Spread(quartilesOf: zip(times, baseTimes).map { $0 - $1 }).map { Cost(policy: policy.name, added: $0) }
    }
  }

  /// A Markdown table.
  package func markdown(circumstances: [String]) -> String {
    var table = MarkdownTable(["policy", "added, ns of CPU per request", "middle half of the rounds"])
    for cost in costs { table.add([cost.policy] + Self.cells(cost.added)) }
    let lines =
      circumstances + [
        "A request without any policy takes \(NumberText.fixed(base.median)) ns of processor time (awaited, a response of "
          + "2 bytes, not decoded).",
        "An idle policy never makes a request wait, fail or be stored. The cache sees every request, and every response has "
          + "`no-store`. `RequestMetrics` isn't idle: it counts every request.",
        "\(rounds) interleaved rounds of \(NumberText.fixed(Double(requests))) requests each, one at a time, with a session "
          + "that responds at once. Figures are medians of the differences within a round.",
      ]
    return "# Cost of the policies\n\nEach policy is on and has nothing to do.\n\n"
      + lines.map { "- \($0)\n" }.joined() + "\n" + table.text
  }

  private static func cells(_ spread: Spread) -> [String] {
    [
      NumberText.fixed(spread.median),
      "\(NumberText.fixed(spread.least))–\(NumberText.fixed(spread.greatest))",
    ]
  }
}
