extension Check {
  /// Promise 8: a call ends in time, and never early with another call's timeout.
  static let timesAreKept = Check(promise: "timeouts and deadlines are kept") { plan, record in
    var starts: [Int: Double] = [:]
    var responses: [Int: Double] = [:]
    var violations: [String] = []
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    for entry in record.entries {
      switch entry.sight {
      case .started(let call): starts[call] = entry.time
      case .received(let reception) where !reception.isSwallowed:
        if let call = reception.call { responses[call] = reception.duration.map { entry.time + $0 } }
      case .ended(let number, let outcome):
        guard let call = calls[number], let start = starts[number] else { continue }
        let elapsed = entry.time - start
        if let bound = plan.bound(of: call), elapsed > bound + 2 + 4 * record.longestStall {
          violations.append("call \(number) took \(elapsed) s where it may take \(bound) s")
        }
        let shortest = plan.shortestTimeout(of: call)
        if let last = responses[number], !call.isStream, outcome.failure == "timedOut",
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
  fileprivate func bound(of call: CallPlan) -> Double? {
    let client = clients[call.client]
    guard !call.isStream else { return nil }
    if let deadline = call.deadline ?? client.deadline { return deadline }
    guard client.retries == 0, call.form != .download else { return nil }
    return (call.timeout ?? client.timeout) * Double(call.script.map(\.depth).max() ?? 1)
  }

  /// The earliest time at which the call's own timeout can have passed.
  fileprivate func shortestTimeout(of call: CallPlan) -> Double {
    let client = clients[call.client]
    return min(call.timeout ?? client.timeout, call.deadline ?? client.deadline ?? .infinity)
  }
}
