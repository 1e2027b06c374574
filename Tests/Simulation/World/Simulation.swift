import Foundation

/// Runs the plans of consecutive seeds, and checks each history against the promises.
package enum Simulation {
  /// A plan that breaks promises.
  package struct Failure: Sendable {
    package var plan: Plan
    package var violations: [String]
    var history: History

    /// The violations without their numbers. Equal kinds have mostly one cause.
    package var kinds: Set<String> { Set(violations.map { $0.filter { !$0.isNumber && $0 != "." } }) }
  }

  /// Runs a plan on this thread, whose stack has to be large.
  ///
  /// - Returns: the broken promises; `nil` if there is none.
  package static func failure(of plan: Plan) -> Failure? {
    let history = World(plan).run()
    let violations = Check.violations(in: history, of: plan) + differences(from: history, of: plan)
    return violations.isEmpty ? nil : Failure(plan: plan, violations: violations, history: history)
  }

  /// A run without faults equals a run without any layer.
  private static func differences(from history: History, of plan: Plan) -> [String] {
    guard plan.isFaultless, !plan.layers.hasOwn else { return [] }
    var bare = plan
    bare.layers = LayersPlan()
    let ends = World(bare).run().ends
    return history.ends.filter { $0.value != ends[$0.key] }.map {
      "layers change nothing without faults: call \($0.key) ended as \($0.value), and without layers as \(ends[$0.key] ?? "")"
    }
  }

  /// The failures of many plans.
  package struct Findings: Sendable {
    package var plans = 0
    /// The failures of each kind: how many, and the story of the first.
    package var kinds: [String: (count: Int, story: Failure)] = [:]
  }

  /// Runs plans on a thread of its own.
  ///
  /// - Parameters:
  ///   - seed: the seed of the first plan.
  ///   - plans: the most plans to run.
  ///   - seconds: the time after which no plan begins. The stories take more time.
  package static func search(from seed: UInt64, plans: Int, seconds: Double = .infinity) async -> Findings {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var findings = Findings()
        let start = Date()
        while findings.plans < plans, Date().timeIntervalSince(start) < seconds {
          let failure = failure(of: Plan(seed: seed + UInt64(findings.plans)))
          findings.plans += 1
          guard let failure else { continue }
          for kind in failure.kinds { findings.kinds[kind, default: (0, failure)].count += 1 }
        }
        for (kind, found) in findings.kinds { findings.kinds[kind]?.story = shortened(found.story, to: kind) }
        continuation.resume(returning: findings)
      }
      // Stopped work stays on the stack.
      thread.stackSize = 64 << 20
      thread.start()
    }
  }

  /// Shortens a plan that fails. Each shorter plan runs in several orders, because without its other steps the first
  /// order is another one too.
  private static func shortened(_ failure: Failure, to kind: String, orders: UInt64 = 40) -> Failure {
    var best = failure
    func fails(_ plan: Plan) -> Bool {
      for schedule in 0..<orders {
        var plan = plan
        plan.schedule = schedule
        guard let found = self.failure(of: plan), found.kinds.contains(kind) else { continue }
        best = found
        return true
      }
      return false
    }
    func tryChange(_ change: (inout Plan) -> Void) {
      var plan = best.plan
      change(&plan)
      _ = fails(plan)
    }
    var size = max(1, best.plan.steps.count / 2)
    while size > 0 {
      var end = best.plan.steps.count
      while end > 0 {
        tryChange { $0.steps.removeSubrange(max(0, end - size)..<end) }
        end = min(end - size, best.plan.steps.count)
      }
      size /= 2
    }
    tryChange { $0.layers = LayersPlan() }
    tryChange { ($0.switchRate, $0.stallRate) = (0, 0) }
    return best
  }
}

extension Simulation.Failure: CustomStringConvertible {
  /// The story: what was broken, the steps that matter, and what happened.
  package var description: String {
    (violations.map { "! \($0)\n" }.joined() + "\(plan)" + history.entries.map { "\($0)\n" }.joined())
      // A story reads better without the names of types, and without what is `nil`.
      .replacingOccurrences(
        of: #"\b[A-Z]\w*(Plan|World|Core)?\.(?=[a-zA-Z])|\(extension in \w+\):|Optional|\w+: nil(, )?"#, with: "",
        options: .regularExpression)
  }
}
