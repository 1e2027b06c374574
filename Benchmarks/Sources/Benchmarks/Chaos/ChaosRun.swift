import BenchmarkReport
import Foundation
import RandomRun

/// Runs random plans, and shrinks each plan that breaks a promise.
struct ChaosRun {
  /// The number of failures to shrink. Each takes a minute or two.
  private static let failureLimit = 5
  private static let attempts = 40

  private let options: ChaosOptions
  private let run = RandomRun(isAlone: true)

  init(_ options: ChaosOptions) {
    self.options = options
  }

  /// - Returns: whether every promise was kept.
  func run() async throws -> Bool {
    try await run.warmUp()
    let start = ContinuousClock.now
    var plans = 0
    var failures: [UInt64] = []
    while plans < options.plans, start.duration(to: .now) < .seconds(60 * options.minutes) {
      let plan = Plan(seed: options.seed + UInt64(plans))
      plans += 1
      let violations = try await run.violations(of: plan)
      guard !violations.isEmpty else { continue }
      failures.append(plan.seed)
      StandardError.write("seed \(plan.seed) failed after \(start.duration(to: .now)); shortening it")
      print(await run.shortened(RandomRun.Failure(plan: plan, violations: violations), attempts: Self.attempts))
      guard failures.count < Self.failureLimit else { break }
    }
    let seeds = failures.isEmpty ? "none failed" : "failed: \(failures.map { "\($0)" }.joined(separator: ", "))"
    print("\(plans) plans from seed \(options.seed) on in \(start.duration(to: .now)); \(seeds)")
    return failures.isEmpty
  }
}
