/// Measures the cost of each policy for a request on which it has nothing to do.
///
/// Each round measures all policies directly one after another, and starts with another policy each time. The cost is
/// the difference to the service without policies in the same round.
enum PolicyCosts {
  static func run(_ options: inout Options) async throws {
    let only = try options.names("only", of: Policy.compared.map(\.identifier))
    let rounds = try options.number("rounds", 200, atLeast: 1)
    // The number of requests for each policy in a round.
    let requests = try options.number("requests", 500, atLeast: 1)
    try options.end()
    let policies = [Policy.none] + Policy.compared.filter { only.contains($0.identifier) }
    let services = policies.map(PolicyService.init)
    // A warm-up.
    for service in services { _ = try await service.measure(requests: requests) }
    CSV.put(CSV.head)
    for round in 0..<rounds {
      var times = Array(repeating: 0.0, count: services.count)
      for index in services.indices.map({ ($0 + round) % services.count }) {
        times[index] = try await services[index].measure(requests: requests)
      }
      for (policy, time) in zip(policies, times) {
        let isBase = policy.identifier == Policy.none.identifier
        CSV.write(
          isBase ? "A request without any policy" : "Cost of the policies", policy.name,
          isBase ? "ns of CPU" : "added, ns of CPU per request", round: round, isBase ? time : time - times[0])
      }
    }
    Circumstances.write([
      "An idle policy never makes a request wait, fail or be stored. The cache sees every request, and every response has "
        + "`no-store`. `RequestMetrics` isn't idle: it counts every request.",
      "Interleaved rounds of \(requests) requests each, one at a time, awaited, with a session that responds at once with "
        + "2 bytes, which aren't decoded. Figures are differences within a round.",
    ])
  }
}
