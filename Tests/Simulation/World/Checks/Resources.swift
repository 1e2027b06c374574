extension History {
  /// Whether a request for the resource is sent, or on its way, between two times.
  fileprivate func refreshes(_ resource: Int, from start: Double, until end: Double) -> Bool {
    var open: Set<Int> = []
    for entry in entries where entry.time <= end {
      if case .sent(let sending) = entry.sight, sending.resource == resource { open.insert(sending.number) }
      if entry.time >= start, !open.isEmpty { return true }
      if case .over(let number, _) = entry.sight { open.remove(number) }
    }
    return false
  }
}

extension Check {
  /// The cache and shared transfers against the server's truth. A response is the newest one that the call could have
  /// had, or was allowed to be older.
  static let resources = Check(promise: "a response is as new as it has to be") { plan, history in
    var receptions: [Int: (index: Int, time: Double, Reception)] = [:]
    var answers: [Int: Int] = [:]
    for (index, entry) in history.entries.enumerated() {
      if case .received(let reception) = entry.sight { receptions[reception.number] = (index, entry.time, reception) }
      if case .taken(let number) = entry.sight { answers[number] = index }
    }
    let records = history.records(of: plan).filter { $0.plan.resource != nil && $0.end?.outcome.kind == nil }
    return records.compactMap { record -> String? in
      guard let start = record.start, let outcome = record.end?.outcome, record.plan.method == "GET" else { return nil }
      let name = "call \(record.plan.number)"
      guard let number = outcome.reception, let (index, time, reception) = receptions[number],
        let resource = reception.resource
      else { return "\(name) has a response to no request" }
      guard reception.process == record.plan.process, reception.user == outcome.user,
        record.plan.needsToken == (outcome.user != nil)
      else { return "\(name) has the response to another user's request" }
      if outcome.version != reception.version {
        return "\(name) has the head of version \(reception.version ?? -1), and the body of \(outcome.version ?? -1)"
      }
      // A call that began after the process has written the resource must not get a response from before.
      let write = records.last { write in
        write.plan.method == "PUT" && write.plan.process == record.plan.process && write.plan.resource == resource
          && (write.end?.index ?? .max) < start.index
      }
      if let written = write?.end?.outcome.reception.flatMap({ receptions[$0] }), written.index > index {
        return "\(name) began after call \(write?.plan.number ?? 0) had written, and has a response from before"
      }
      let former = history.entries[..<start.index]
      let end = former.lastIndex { if case .emptiedCache = $0.sight { true } else { false } }
      // A request that is sent while the cache is being emptied may be stored.
      let emptied = end.flatMap { end in
        former[..<end].lastIndex { if case .step("emptyCache") = $0.sight { true } else { false } }
      }
      // A transfer that is shared before the cache is asked may have been sent before.
      if let emptied, record.plan.process == 0, plan.layers.isBehindCache(.coalescing), index < emptied {
        return "\(name) began after the cache was emptied, and has a response from before"
      }
      let others = records.filter { $0.end?.outcome.reception == number && $0.plan.number != record.plan.number }
      if record.plan.cachePolicy != .noStore, others.contains(where: { $0.plan.cachePolicy == .noStore }) {
        return "\(name) has a response that wasn't to be stored"
      }
      if record.plan.coalesces == false, !plan.layers.hasCache, !others.isEmpty {
        return "\(name) shares a response, and isn't to"
      }
      guard let answer = answers[number], answer < start.index else { return nil }
      // A call joins a transfer until its response is handed out.
      let isHandedOut = records.contains { other in
        other.end.map { $0.outcome.reception == number && $0.index < start.index } ?? false
      }
      if plan.layers.coalesces, !isHandedOut, history.entries[answer].time == start.time { return nil }
      if [.reload, .revalidate, .noStore].contains(record.plan.cachePolicy) {
        return "\(name) has a stored response that no server has confirmed"
      }
      // The response came before the call began: from a cache.
      let rules = plan.resources[resource]
      guard plan.layers.hasCache, let maxAge = rules.maxAge else {
        return "\(name) has an old response, without a cache"
      }
      let age = start.time - time
      // A timeout that ends a redirect leaves no time to send the request that the redirect leads to.
      if record.plan.timeout == nil || record.plan.resource == resource, age > Double(maxAge), plan.hasOnlyCalls,
        plan.stallRate == 0, plan.layers.limits == nil,
        plan.layers.breaker == nil,
        !history.refreshes(resource, from: start.time - 0.001, until: (record.end?.time ?? 0) + 0.1)
      {
        return "\(name) has a stale response, and nobody refreshes it"
      }
      if record.plan.cachePolicy == .onlyIfCached, age > Double(maxAge) + 0.001 {
        return "\(name) has a stale response, and asks for a stored one that is fresh"
      }
      // A response that replaces an error or a timeout may be older.
      return age > Double(maxAge + max(rules.staleWhileRevalidate, rules.staleIfError)) + 0.001
        ? "\(name) has a response that is \(age) s old" : nil
    }
  }

  /// A call whose server fails gets a response of an earlier call, for as long as that may be stale.
  static let standIns = Check(promise: "a stale response replaces an error") { plan, history in
    // A change removes a response, and each token or cookie has responses of its own.
    guard plan.layers.hasCache, plan.hasOnlyCalls, plan.stallRate == 0, !plan.layers.hasCookies, !plan.client.hasDisk,
      plan.layers.breaker == nil, plan.layers.limits == nil, plan.client.deadline == nil
    else { return [] }
    let times = Dictionary(history.receptions.map { ($0.1.number, $0.time) }) { $1 }
    let calls = history.records(of: plan).filter { $0.plan.resource != nil }
    return calls.filter { !$0.plan.needsToken }.compactMap { record in
      guard let number = record.plan.resource, let start = record.start, let end = record.end, end.outcome.kind != nil,
        !record.isCancelled, record.plan.deadline == nil, plan.resources[number].redirect == nil,
        record.plan.cachePolicy == nil,
        case let others = calls.filter({ $0.plan.resource == number && $0.plan.process == record.plan.process }),
        !others.contains(where: { $0.plan.method != "GET" })
      else { return nil }
      let (rules, delay) = (plan.resources[number], plan.client.connectionDelay)
      let standIn = others.first { other in
        guard !other.plan.needsToken, other.plan.cachePolicy != .noStore, let former = other.end,
          former.index < start.index, former.outcome.kind == nil,
          let time = former.outcome.reception.flatMap({ times[$0] }), let maxAge = rules.maxAge
        else { return false }
        return end.time < time - delay + Double(maxAge + rules.staleIfError) - 0.001
      }
      return standIn.map { "call \(record.plan.number) ended with \(end.outcome.text), not as call \($0.plan.number)" }
    }
  }

  /// Without a network, a call gets the response that was stored with its user's last token.
  static let offline = Check(promise: "a fresh response needs no network") { plan, history in
    guard let reads = plan.offlineReads else { return [] }
    let receptions = history.receptions
    let taken = Set(history.entries.compactMap { if case .taken(let number) = $0.sight { number } else { nil } })
    return history.records(of: plan).compactMap { record in
      guard let resource = record.plan.resource, let maxAge = plan.resources[resource].maxAge, let start = record.start,
        let end = record.end, end.outcome.kind != nil, reads.contains(start.time), reads.contains(end.time),
        // Another token is the key of another response.
        case let lastToken = receptions.last(where: { $0.1.issued != nil && $0.time < end.time })?.time ?? 0,
        receptions.contains(where: { time, reception in
          reception.resource == resource && taken.contains(reception.number) && time > lastToken
            && end.time < time + Double(maxAge)
        })
      else { return nil }
      return "call \(record.plan.number) ended with \(end.outcome.text)"
    }
  }
}
