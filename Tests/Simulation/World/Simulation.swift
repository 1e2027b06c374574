import Foundation

/// Runs the plans of consecutive seeds, and checks each history against the promises.
package enum Simulation {
  /// A plan that breaks promises.
  package struct Failure: Sendable, CustomStringConvertible {
    package var plan: Plan
    package var violations: [String]
    var history: History

    package var description: String {
      (violations.map { "! \($0)\n" }.joined() + "\(plan)" + history.entries.map { "\($0)\n" }.joined())
        // Without the names of modules and types, and without `nil`, a story reads better.
        .replacingOccurrences(of: #"\b([A-Z]\w*\.)+(?=\w+[ .,()\]\n])|Optional|\w+: nil(, )?"#, with: "", options: .regularExpression)
    }
  }

  /// Runs a plan.
  ///
  /// - Returns: the broken promises; `nil` if there is none.
  package static func failure(of plan: Plan) -> Failure? {
    let history = World(plan).run()
    let violations = Check.violations(in: history, of: plan)
    return violations.isEmpty ? nil : Failure(plan: plan, violations: violations, history: history)
  }

  /// A violation without its numbers.
  private static func kind(_ violation: String) -> String { violation.filter { !$0.isNumber && $0 != "." } }

  /// Shortens a plan that fails. Each shorter plan runs in several orders, because without its other steps the first
  /// order is another one too.
  package static func shortened(_ failure: Failure, orders: UInt64 = 40) -> Failure {
    var best = failure
    func fails(_ plan: Plan) -> Bool {
      let kinds = Set(failure.violations.map(kind))
      for schedule in 0..<orders {
        var plan = plan
        plan.schedule = schedule
        guard let found = self.failure(of: plan), found.violations.contains(where: { kinds.contains(kind($0)) })
        else { continue }
        best = found
        return true
      }
      return false
    }
    var size = max(1, best.plan.steps.count / 2)
    while size > 0 {
      var end = best.plan.steps.count
      while end > 0 {
        var plan = best.plan
        plan.steps.removeSubrange(max(0, end - size)..<end)
        if !fails(plan) { end -= size } else { end = min(end - size, best.plan.steps.count) }
      }
      size /= 2
    }
    var plain = best.plan
    (plain.switchRate, plain.stallRate) = (0, 0)
    if best.plan.switchRate > 0 || best.plan.stallRate > 0 { _ = fails(plain) }
    return best
  }

  /// Runs plans on a thread of its own, until a time or a number of failures is reached.
  ///
  /// - Returns: the failures, and the number of plans.
  package static func search(
    from seed: UInt64, plans: Int, seconds: Double, failureLimit: Int = 1
  ) async -> (failures: [Failure], plans: Int) {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let start = Date()
        var (failures, count) = ([Failure](), 0)
        while count < plans, failures.count < failureLimit, Date().timeIntervalSince(start) < seconds {
          if let failure = failure(of: Plan(seed: seed + UInt64(count))) { failures.append(failure) }
          count += 1
        }
        continuation.resume(returning: (failures, count))
      }
      // Stopped work stays on the stack.
      thread.stackSize = 64 << 20
      thread.start()
    }
  }
}
