import Foundation
import RandomRun

/// Runs random plans, and prints each plan that breaks a promise.
struct ChaosRun {
  private static let failureLimit = 5

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
      guard let failure = try await run.failure(of: plan) else { continue }
      failures.append(plan.seed)
      print(failure)
      guard failures.count < Self.failureLimit else { break }
    }
    let seeds = failures.isEmpty ? "none failed" : "failed: \(failures.map { "\($0)" }.joined(separator: ", "))"
    print("\(count) plans from seed \(seed) on in \(start.duration(to: .now)); \(seeds)")
    return failures.isEmpty
  }
}
