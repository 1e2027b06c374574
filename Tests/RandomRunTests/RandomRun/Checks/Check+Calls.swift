extension Check {
  /// Promise 1: each completion runs exactly once.
  static let eachCallEndsOnce = Check(promise: "each completion runs exactly once, in its place") { _, record in
    record.entries.flatMap { entry -> [String] in
      guard case .started(let call) = entry.sight else { return [] }
      let ends = record.ends(of: call)
      return (ends.count == 1 ? [] : ["call \(call) ended \(ends.count) times"])
        + ends.filter { !$0.isInPlace }.map { _ in "call \(call) ended on another queue than its own" }
    }
  }

  /// Promise 4: a server receives a request that isn't idempotent a second time only after a 401.
  static let bodiesAreSentOnce = Check(promise: "what may be sent once is received once") { plan, record in
    let once = Set(plan.calls.filter { !$0.isDeclaredIdempotent }.map(\.number))
    var former: [String: Reception] = [:]
    return record.receptions.sorted { ($0.origin, $0.order) < ($1.origin, $1.order) }.compactMap { reception in
      guard ["POST", "PATCH"].contains(reception.method), let call = reception.call, once.contains(call) else {
        return nil
      }
      let key = "\(reception.method) \(reception.path) of call \(call) came to origin \(reception.origin)"
      guard let first = former.updateValue(reception, forKey: key), first.status != 401 else { return nil }
      return "\(key) again, after \(first.status.map { "status \($0)" } ?? "no response")"
    }
  }

  /// A GET succeeds if every server responds well and the app doesn't end it. Without this check, a library that fails
  /// every request would keep all other promises.
  static let wellServedCallsSucceed = Check(promise: "well served calls succeed") { plan, record in
    let cancelled = record.entries.compactMap { if case .cancelled(let call) = $0.sight { call } else { nil } }
    return plan.calls.flatMap { call -> [String] in
      guard call.method == "GET", call.script.allSatisfy(\.isGood), plan.clients[call.client].followsRedirects,
        !cancelled.contains(call.number)
      else { return [] }
      return record.ends(of: call.number).compactMap(\.failure).filter { $0 != "timedOut" }.map {
        "call \(call.number) was served well and failed as \($0)"
      }
    }
  }
}
