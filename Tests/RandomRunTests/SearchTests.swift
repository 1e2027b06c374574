import Foundation
import Testing

/// Runs the random run for some seconds. The benchmark package has a command for many minutes.
@Suite(.serialized)
struct SearchTests {
  @Test(.timeLimit(.minutes(5))) func randomPlansBreakNoPromise() async throws {
    let start = Date()
    for seed in 1...8 as ClosedRange<UInt64> where Date().timeIntervalSince(start) < 10 {
      let plan = Plan(seed: seed, length: 6)
      #expect("\(Plan(seed: seed, length: 6))" == "\(plan)")
      if let failure = try await RandomRun(isAlone: false).failure(of: plan) { Issue.record("\(failure)") }
    }
  }
}
