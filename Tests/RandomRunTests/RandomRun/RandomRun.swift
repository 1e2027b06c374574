import Foundation

/// Runs the plans of consecutive seeds, and checks the records against the promises.
package struct RandomRun: Sendable {
  /// A plan that broke a promise.
  package struct Failure: Sendable, CustomStringConvertible {
    package var plan: Plan
    package var violations: [Violation]

    package init(plan: Plan, violations: [Violation]) {
      self.plan = plan
      self.violations = violations
    }

    package var description: String {
      "seed \(plan.seed):\n" + violations.map { "  ! \($0)\n" }.joined() + "\(plan)"
    }
  }

  private let isAlone: Bool

  /// - Parameter isAlone: whether the process does nothing else, so that its descriptors, threads and memory can be
  ///   checked too.
  package init(isAlone: Bool) {
    self.isAlone = isAlone
  }

  /// Opens everything that the system opens only once, so that it doesn't count as left.
  package func warmUp() async throws {
    _ = try await Run(Plan(seed: 0, length: 6), isAlone: false).record()
  }

  /// Runs one plan.
  ///
  /// - Returns: the broken promises.
  package func violations(of plan: Plan) async throws -> [Violation] {
    Violation.all(in: try await Run(plan, isAlone: isAlone).record(), of: plan)
  }

  /// Shortens a plan that failed. Each shorter plan runs several times, because the machine's timing matters too.
  package func shortened(_ failure: Failure, attempts: Int, repetitions: Int = 3) async -> Failure {
    let promises = Set(failure.violations.map(\.promise))
    var shortest = failure
    _ = await failure.plan.steps.shortened(attempts: attempts) { steps in
      var plan = failure.plan
      plan.steps = steps
      for _ in 0..<repetitions {
        let violations = (try? await self.violations(of: plan)) ?? []
        let same = violations.filter { promises.contains($0.promise) }
        guard same.isEmpty else {
          shortest = Failure(plan: plan, violations: same)
          return true
        }
      }
      return false
    }
    return shortest
  }
}
