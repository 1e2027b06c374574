extension Check {
  /// Promise 8: a deadline is kept to the virtual millisecond, no timeout comes early, and no transfer outlasts it.
  static let times = Check(promise: "timeouts and deadlines are kept") { plan, history in
    calls(plan, history) + attempts(plan, history) + transfers(plan, history)
  }

  private static func calls(_ plan: Plan, _ history: History) -> [String] {
    history.records(of: plan).compactMap { record in
      // Each connection of an event stream has a deadline of its own.
      guard let start = record.start?.time, let end = record.end, record.plan.form != .events else { return nil }
      let call = record.plan
      let ownDeadline = call.form == .server ? nil : call.deadline
      let (time, deadline) = (end.time - start, ownDeadline ?? plan.client.deadline)
      if plan.stallRate == 0, let deadline, time > deadline + 0.001 {
        return "call \(call.number) ended after \(time) s, and its deadline is \(deadline) s"
      }
      let shortest = min(call.timeout ?? plan.client.timeout, deadline ?? .infinity)
      if end.outcome.kind == .timedOut, time < shortest - 0.001 {
        return "call \(call.number) timed out after \(time) s, and has \(shortest) s"
      }
      return nil
    }
  }

  /// No attempt ends by the timeout of the attempt before.
  private static func attempts(_ plan: Plan, _ history: History) -> [String] {
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    var (transfers, begin, isRedirected): ([Int: Int], [Int: Double], Set<Int>) = ([:], [:], [])
    return history.entries.compactMap { entry in
      switch entry.sight {
      case .started(let call): begin[call] = entry.time
      case .sent(let sending):
        guard let call = sending.call else { return nil }
        transfers[sending.number] = call
        // A redirect belongs to the attempt before it.
        if isRedirected.remove(call) == nil { begin[call] = entry.time }
      case .over(let number, .status(300..<400, _)): transfers[number].map { _ = isRedirected.insert($0) }
      case .ended(let number, let outcome) where outcome.kind == .timedOut:
        guard plan.stallRate == 0, let call = calls[number], call.resource == nil,
          (call.deadline ?? plan.client.deadline) == nil,
          let begin = begin[number], entry.time - begin < (call.timeout ?? plan.client.timeout) - 0.001
        else { return nil }
        return "the last attempt of call \(number) timed out after \(entry.time - begin) s"
      default: break
      }
      return nil
    }
  }

  private static func transfers(_ plan: Plan, _ history: History) -> [String] {
    let longest = ([plan.client.timeout] + plan.calls.compactMap(\.timeout)).max() ?? 0
    var open: [Int: (time: Double, path: String, call: Int?)] = [:]
    var violations: [String] = []
    for entry in history.entries {
      if case .sent(let sending) = entry.sight { open[sending.number] = (entry.time, sending.path, sending.call) }
      guard case .over(let number, _) = entry.sight, let start = open.removeValue(forKey: number) else { continue }
      // Callers who share a transfer have a timeout each.
      let isStreamed =
        start.path.hasPrefix("/f")
        || start.call.flatMap { call in plan.calls.first { $0.number == call } }?.form ?? .response != .response
      if plan.stallRate == 0, !plan.layers.coalesces, !isStreamed, entry.time - start.time > longest + 0.001 {
        violations.append("a transfer to \(start.path) took \(entry.time - start.time) s")
      }
    }
    return violations + open.values.map { "a transfer to \($0.path) never ended" }
  }
}
