import Foundation
import Testing

/// Runs the random run for some seconds. The benchmark package has a command for many minutes.
@Suite(.serialized)
struct SearchTests {
  private static let seeds: ClosedRange<UInt64> = 1...8
  /// The seconds after which no new plan starts.
  private static let time = 10.0

  @Test(.timeLimit(.minutes(5))) func randomPlansBreakNoPromise() async throws {
    let start = Date()
    for seed in Self.seeds where Date().timeIntervalSince(start) < Self.time {
      let plan = Plan(seed: seed, length: 6)
      let violations = try await RandomRun(isAlone: false).violations(of: plan)
      if !violations.isEmpty { Issue.record("\(RandomRun.Failure(plan: plan, violations: violations))") }
    }
  }
}
