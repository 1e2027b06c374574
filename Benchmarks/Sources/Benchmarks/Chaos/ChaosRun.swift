import Foundation
import RandomRun

/// Runs random plans, and shrinks each plan that breaks a promise.
struct ChaosRun {
  /// The number of failures to shrink. Each takes a minute or two.
  private static let failureLimit = 5
  private static let attempts = 40

  private let minutes: Int
  private let seed: UInt64
  private let plans: Int
  private let run = RandomRun(isAlone: true)

  init(_ options: inout Options) throws {
    minutes = try options.number("minutes", 10, atLeast: 1)
    seed = try options.number("seed", 1, atLeast: 0)
    plans = try options.number("plans", .max, atLeast: 1)
    try options.end()
  }

  /// - Returns: whether every promise was kept.
  func run() async throws -> Bool {
    try await run.warmUp()
    let start = ContinuousClock.now
    var count = 0
    var failures: [UInt64] = []
    while count < plans, start.duration(to: .now) < .seconds(60 * minutes) {
      let plan = Plan(seed: seed + UInt64(count))
      count += 1
      let violations = try await run.violations(of: plan)
      guard !violations.isEmpty else { continue }
      failures.append(plan.seed)
      CSV.progress("seed \(plan.seed) failed after \(start.duration(to: .now)); shortening it")
      print(await run.shortened(RandomRun.Failure(plan: plan, violations: violations), attempts: Self.attempts))
      guard failures.count < Self.failureLimit else { break }
    }
    let seeds = failures.isEmpty ? "none failed" : "failed: \(failures.map { "\($0)" }.joined(separator: ", "))"
    print("\(count) plans from seed \(seed) on in \(start.duration(to: .now)); \(seeds)")
    return failures.isEmpty
  }
}
