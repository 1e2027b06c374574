/// Runs plans, and checks the records against the promises.
package struct RandomRun: Sendable {
  private let isAlone: Bool

  /// - Parameter isAlone: whether the process does nothing else, so that its descriptors, threads and memory can be
  ///   checked too.
  package init(isAlone: Bool) {
    self.isAlone = isAlone
  }

  /// Opens everything that the system opens only once, so that it doesn't count as left.
  package func warmUp() async throws { _ = try await Run(Plan(seed: 0, length: 6), isAlone: false).record() }

  /// Runs one plan.
  ///
  /// - Returns: the broken promises with the plan; `nil` if there is none.
  package func failure(of plan: Plan) async throws -> String? {
    let violations = plan.violations(in: try await Run(plan, isAlone: isAlone).record())
    return violations.isEmpty ? nil : "seed \(plan.seed):\n" + violations.map { "  ! \($0)\n" }.joined() + "\(plan)"
  }
}
