package import BenchmarkReport
import Foundation

/// What each policy adds to a request when it is on and has nothing to do.
///
/// All are measured in each round, one right after the other, beginning with another one each time. What a policy adds is
/// the median, over the rounds, of the difference to the service without any in the same round.
package struct PolicyCosts: Sendable {
  package struct Cost: Sendable {
    package let policy: String
    /// In nanoseconds per request, over that of no policy.
    package let added: Spread
  }

  /// Nanoseconds per request without any policy.
  package let base: Spread
  package let costs: [Cost]
  package let rounds: Int
  package let requests: Int

  /// - Parameters:
  ///   - only: the policies that are compared with none.
  ///   - requests: how many are sent for each policy in a round.
  package static func measured(only: [String], rounds: Int, requests: Int) async throws -> PolicyCosts? {
    let policies = [Policy.none] + Policy.compared.filter { only.contains($0.identifier) }
    let services = policies.map(PolicyService.init)
    for service in services { _ = try await service.measure(requests: requests) }
    var times: [[Double]] = Array(repeating: [], count: services.count)
    for round in 0..<rounds {
      for index in services.indices.map({ ($0 + round) % services.count }) {
        times[index].append(try await services[index].measure(requests: requests))
      }
    }
    return PolicyCosts(policies: policies, times: times, requests: requests)
  }

  /// - Parameter times: of each policy, round by round; those of none come first.
  private init?(policies: [Policy], times: [[Double]], requests: Int) {
    guard let baseTimes = times.first, let base = Spread(quartilesOf: baseTimes) else { return nil }
    self.base = base
    rounds = baseTimes.count
    self.requests = requests
    costs = zip(policies, times).dropFirst().compactMap { policy, times in
      Spread(quartilesOf: zip(times, baseTimes).map { $0 - $1 }).map { Cost(policy: policy.name, added: $0) }
    }
  }

  /// A table in Markdown.
  package func markdown(circumstances: [String]) -> String {
    var table = MarkdownTable(["policy", "added, ns of CPU per request", "middle half of the rounds"])
    for cost in costs { table.add([cost.policy] + Self.cells(cost.added)) }
    let lines =
      circumstances + [
        "A request without any policy takes \(NumberText.fixed(base.median)) ns of processor time (awaited, an answer of 2 bytes, handed on "
          + "as it is).",
        "Idle means: nothing waits, fails or is stored. The cache is asked about every request and every answer, which says "
          + "`no-store`. `RequestMetrics` is the exception: it counts every request.",
        "\(rounds) interleaved rounds of \(NumberText.fixed(Double(requests))) requests each, one at a time, on a session "
          + "that answers at once; medians of the differences within a round.",
      ]
    return "# What the policies cost\n\nEach is on and has nothing to do.\n\n"
      + lines.map { "- \($0)\n" }.joined() + "\n" + table.text
  }

  private static func cells(_ spread: Spread) -> [String] {
    [
      NumberText.fixed(spread.median),
      "\(NumberText.fixed(spread.least))–\(NumberText.fixed(spread.greatest))",
    ]
  }
}
