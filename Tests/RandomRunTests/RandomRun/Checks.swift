extension Plan {
  /// Finds the broken promises in a record. Users, tokens, caches and services are the simulation's.
  func violations(in record: Record) -> [String] {
    var violations: [String] = []
    var starts: [Int: (index: Int, time: Double)] = [:]
    var (ends, pushes): ([Int: Int], [Int: Int]) = ([:], [:])
    let cancelled = Set(record.entries.compactMap { if case .cancelled(let call) = $0.sight { call } else { nil } })
    let calls = Dictionary(calls.map { ($0.number, $0) }) { $1 }
    for (index, (time, sight)) in record.entries.enumerated() {
      switch sight {
      case .started(let call): starts[call] = (index, time)
      case .pushed(let call): pushes[call] = index
      case .broken(let what): violations.append(what)
      case .ended(let number, let outcome):
        ends[number, default: 0] += 1
        guard let call = calls[number], let start = starts[number] else { continue }
        let isLatePush = outcome.pushed.flatMap { pushes[$0] }.map { $0 < start.index } ?? false
        let stall = 4 * record.longestStall
        violations += [
          outcome.isInPlace ? nil : "ended on another queue than its own",
          isLatePush ? "was given a response that nobody asked for" : nil,
          outcome.call ?? number == number ? nil : "was given the response to call \(outcome.call ?? 0)",
          content(of: outcome, call), times(of: outcome, call, time - start.time, stall: stall),
          cancelled.contains(number) || outcome.pushed != nil ? nil : service(of: outcome, call, stall: stall),
        ].compactMap { $0.map { "call \(number) \($0)" } }
      default: break
      }
    }
    violations += starts.keys.sorted().filter { ends[$0] != 1 }.map { "call \($0) ended \(ends[$0] ?? 0) times" }
    if let growth = record.growth, growth > 150 << 20 { violations.append("the process grew by \(growth >> 20) MB") }
    return violations + repetitions(in: record)
  }

  /// A success has the whole content, and what was read before a failure is its beginning.
  private func content(of outcome: Outcome, _ call: CallPlan) -> String? {
    if outcome.pushed != nil { return nil }
    if outcome.failure != nil {
      return call.content.starts(with: outcome.lines) ? nil : "has read other content"
    }
    return outcome.lines == call.content ? nil : "is a success with a part of the content, or with other content"
  }

  /// A call ends in time, and never early.
  private func times(of outcome: Outcome, _ call: CallPlan, _ time: Double, stall: Double) -> String? {
    let client = clients[call.client]
    let (timeout, deadline) = (call.timeout ?? client.timeout, call.deadline ?? client.deadline)
    let isBounded = client.attempts == 1 && call.form != .download
    let bound = deadline ?? (isBounded ? timeout * Double(1 + call.script.count(where: \.isRedirect)) : .infinity)
    if !call.isStream, time > bound + 2 + stall { return "took \(time) s where it may take \(bound) s" }
    return outcome.failure == "timedOut" && time < 0.8 * min(timeout, deadline ?? .infinity)
      ? "timed out after \(time) s with a timeout of \(timeout) s" : nil
  }

  /// A GET succeeds if every server responds well and in time. Without this check, a library that fails every request
  /// would keep all other promises.
  private func service(of outcome: Outcome, _ call: CallPlan, stall: Double) -> String? {
    let durations = call.script.compactMap(\.duration)
    guard let failure = outcome.failure, call.method == "GET", durations.count == call.script.count else { return nil }
    let client = clients[call.client]
    let limit = min(call.timeout ?? client.timeout, call.deadline ?? client.deadline ?? .infinity)
    let longest = durations.reduce(0, +) * Double(call.lineCount) + 0.5 + stall
    return failure == "timedOut" && longest > limit ? nil : "was served well and failed as \(failure)"
  }

  /// A server receives a request that isn't idempotent a second time only after a 401.
  private func repetitions(in record: Record) -> [String] {
    var former: [String: Reception] = [:]
    let receptions = record.entries.compactMap { if case .received(let found) = $0.sight { found } else { nil } }
    return receptions.sorted { ($0.origin, $0.order) < ($1.origin, $1.order) }.compactMap { reception in
      let name = "\(reception.method) \(reception.path) at origin \(reception.origin)"
      guard ["POST", "PATCH"].contains(reception.method), let first = former.updateValue(reception, forKey: name),
        !first.isRefused
      else { return nil }
      return "\(name) was received again"
    }
  }
}
