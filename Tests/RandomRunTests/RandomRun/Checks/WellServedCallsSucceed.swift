extension Check {
  /// A GET succeeds if every server responds well and the app doesn't end it. Without this check, a library that fails
  /// every request would keep all other promises.
  static let wellServedCallsSucceed = Check(promise: "well served calls succeed") { plan, record in
    let disturbance = Disturbance(record)
    return plan.calls.flatMap { call -> [String] in
      let policies = plan.clients[call.client].policies
      // A kept download is refused while another one has the file.
      guard call.keptFile == nil, call.method == "GET", call.body == .none, case .own = call.target,
        call.script.allSatisfy(\.isGood),
        call.form != .pages, policies.followsRedirects, !policies.hasBreaker || !plan.hasTrouble(forClient: call.client)
      else { return [] }
      return record.ends(of: call.number).compactMap { entry, outcome in
        guard let failure = outcome.failure, failure != "timedOut", failure != "token",
          !disturbance.concerns(call, of: plan.clients[call.client].owner, endingAt: entry)
        else { return nil }
        return "call \(call.number) was served well and failed as \(failure)"
      }
    }
  }
}

extension Plan {
  /// Whether a response may count against the host of the client.
  fileprivate func hasTrouble(forClient client: Int) -> Bool {
    calls.contains { call in
      call.client == client && (call.timeout != nil || call.deadline != nil || !call.script.allSatisfy(\.isGood))
    }
  }
}

/// The actions of the app that may end a call.
private struct Disturbance {
  private var starts: [Int: Int] = [:]
  private var cancellations: [Int: Int] = [:]
  private var clients: Set<Int> = []
  private var changes: [Int: [ClosedRange<Int>]] = [:]

  init(_ record: Record) {
    var changing: [Int: Int] = [:]
    for (index, entry) in record.entries.enumerated() {
      switch entry.sight {
      case .started(let call, _): starts[call] = index
      case .cancelled(let call): cancellations[call] = index
      case .networkSet(let client): clients.insert(client)
      case .changing(let owner): changing[owner] = index
      case .changed(let owner): changes[owner, default: []].append((changing[owner] ?? 0)...index)
      default: break
      }
    }
  }

  func concerns(_ call: CallPlan, of owner: Int, endingAt end: Int) -> Bool {
    let start = min(starts[call.number] ?? end, end)
    return cancellations[call.number, default: .max] < end || clients.contains(call.client)
      || changes[owner, default: []].contains { $0.overlaps(start...end) }
  }
}
