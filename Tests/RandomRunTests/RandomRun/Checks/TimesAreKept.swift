extension Check {
  /// Promise 8: a call ends in time, and never early with another call's timeout.
  static let timesAreKept = Check(promise: "timeouts and deadlines are kept") { plan, record in
    var starts: [Int: Double] = [:]
    var responses: [Int: Double] = [:]
    var violations: [String] = []
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    for entry in record.entries {
      switch entry.sight {
      case .started(let call, _): starts[call] = entry.time
      case .received(let reception) where !reception.isSwallowed:
        if let call = reception.call { responses[call] = reception.duration.map { entry.time + $0 } }
      case .ended(let number, let outcome):
        guard let call = calls[number], let start = starts[number] else { continue }
        let elapsed = entry.time - start
        if let bound = plan.bound(of: call), elapsed > bound + 2 + 4 * record.longestStall {
          violations.append("call \(number) took \(elapsed) s where it may take \(bound) s")
        }
        let shortest = plan.shortestTimeout(of: call)
        if let last = responses[number], call.form != .pages, !call.isStream, outcome.failure == "timedOut",
          entry.time > last + 0.5 + 4 * record.longestStall
        {
          violations.append("call \(number) timed out \(entry.time - last) s after its response")
        }
        if outcome.failure == "timedOut", elapsed < 0.8 * shortest {
          violations.append("call \(number) timed out after \(elapsed) s with a timeout of \(shortest) s")
        }
      case .worded(let call, let seconds) where seconds > 2 + 4 * record.longestStall:
        violations.append("it took \(seconds) s to put the error of call \(call) in words")
      default: break
      }
    }
    return violations
  }
}

extension Plan {
  /// The most seconds that the call may take; `nil` without a limit.
  func bound(of call: CallPlan) -> Double? {
    let policies = clients[call.client].policies
    guard !call.isStream, call.form != .pages else { return nil }
    if let deadline = deadline(of: call) { return deadline }
    let isPlain = policies.retries == 0 && policies.concurrentRequests == nil && !policies.waitsForNetwork
    guard isPlain, call.form != .download else { return nil }
    let timeout = call.timeout ?? policies.timeout
    let steps = call.script.map(\.depth).max() ?? 1
    // Each step may wait for a token, be refused, and wait for another token.
    return timeout * Double(steps) * (call.needsToken ? 4 : 1)
  }

  /// The earliest time at which the call's own timeout can have passed.
  func shortestTimeout(of call: CallPlan) -> Double {
    let policies = clients[call.client].policies
    return min(call.timeout ?? policies.timeout, deadline(of: call) ?? .infinity)
  }

  /// The deadline of the call. Requests of a `Server` have none.
  private func deadline(of call: CallPlan) -> Double? {
    let client = clients[call.client]
    return (owners[client.owner].kind == .tokens ? call.deadline : nil) ?? client.policies.deadline
  }
}
