extension Check {
  /// What keeps all other promises by failing isn't worth having: a GET that every server serves well succeeds, unless
  /// something that the app or the machine did stands in its way.
  static let wellServedCallsSucceed = Check(promise: "well served calls succeed") { plan, record in
    let disturbance = Disturbance(record, of: plan)
    return plan.calls.flatMap { call -> [String] in
      let policies = plan.clients[call.client].policies
      guard call.method == "GET", call.body == .none, case .own = call.target, call.script.allSatisfy(\.isGood),
        call.form != .pages, !policies.hasBreaker, policies.followsRedirects
      else { return [] }
      return record.ends(of: call.number).compactMap { entry, outcome in
        // A response that comes without being asked for can't always be told from the one that was.
        guard let failure = outcome.failure, outcome.delivery.pushed == nil, failure != "timedOut", failure != "token",
          !disturbance.concerns(call, of: plan.clients[call.client].owner, endingAt: entry)
        else { return nil }
        return "call \(call.number) was served well and failed as \(failure)"
      }
    }
  }
}

/// What the app did that may end a call.
private struct Disturbance {
  private var starts: [Int: Int] = [:]
  private var cancelled: Set<Int> = []
  private var clients: Set<Int>
  private var changes: [Int: [ClosedRange<Int>]] = [:]

  init(_ record: Record, of plan: Plan) {
    clients = record.misledClients(of: plan)
    var changing: [Int: Int] = [:]
    for (index, entry) in record.entries.enumerated() {
      switch entry.sight {
      case .started(let call, _): starts[call] = index
      case .cancelled(let call): cancelled.insert(call)
      case .networkSet(let client): clients.insert(client)
      case .changing(let owner): changing[owner] = index
      case .changed(let owner): changes[owner, default: []].append((changing[owner] ?? 0)...index)
      default: break
      }
    }
  }

  func concerns(_ call: CallPlan, of owner: Int, endingAt end: Int) -> Bool {
    let start = min(starts[call.number] ?? end, end)
    return cancelled.contains(call.number) || clients.contains(call.client)
      || changes[owner, default: []].contains { $0.overlaps(start...end) }
  }
}
