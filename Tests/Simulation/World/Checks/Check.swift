/// A promise, and a pure function that finds its violations in a history.
struct Check: Sendable {
  /// The promise in one line.
  let promise: String
  let violations: @Sendable (Plan, History) -> [String]

  static let all: [Check] = [
    .callsEndOnce, .sentOnce, .bodies, .sentForACall, .content, .identities, .times, .reference, .tokens, .resources,
    .offline, .standIns, .limits, .breaker, .cookies, .newestCookies, .priorities, .events, .broken, .progress,
    .downloads,
  ]

  static func violations(in history: History, of plan: Plan) -> [String] {
    all.flatMap { check in check.violations(plan, history).map { "\(check.promise): \($0)" } }
  }
}

/// The entries of a history about one call.
struct CallRecord {
  let plan: CallPlan
  var start: (index: Int, time: Double)?
  var ends: [(index: Int, time: Double, outcome: Outcome)] = []
  var receptions: [(index: Int, time: Double, Reception)] = []
  var isCancelled = false

  var end: (index: Int, time: Double, outcome: Outcome)? { ends.first }

  /// Whether the call is a success after an entry. The completion may have been about to run then on another thread.
  func isSuccess(after index: Int, in history: History) -> Bool {
    end.map { $0.index > index && $0.outcome.kind == nil && $0.outcome.begin > history.entries[index].step } ?? false
  }
}

extension History {
  /// The place where the process was killed.
  var death: Int? { entries.firstIndex { if case .died = $0.sight { true } else { false } } }

  var hasLostSession: Bool {
    entries.contains { if case .lostSession = $0.sight { true } else { false } }
  }

  /// The records of all calls that were started.
  func records(of plan: Plan) -> [CallRecord] {
    var records: [Int: CallRecord] = [:]
    for call in plan.calls { records[call.number] = CallRecord(plan: call) }
    for (index, entry) in entries.enumerated() {
      switch entry.sight {
      case .started(let call): records[call]?.start = (index, entry.time)
      case .ended(let call, let outcome): records[call]?.ends.append((index, entry.time, outcome))
      case .cancelled(let call): records[call]?.isCancelled = true
      case .received(let reception):
        reception.call.map { records[$0]?.receptions.append((index, entry.time, reception)) }
      default: break
      }
    }
    return records.values.filter { $0.start != nil }.sorted { $0.plan.number < $1.plan.number }
  }
}

extension Check {
  /// Promise 1.
  static let callsEndOnce = Check(promise: "each completion runs once, on its queue, not inside the call") {
    plan, history in
    history.records(of: plan).flatMap { record -> [String] in
      let name = "call \(record.plan.number)"
      // A process that was killed completes nothing.
      if record.ends.isEmpty, history.death != nil, record.start?.time ?? 0 < 2000 { return [] }
      guard record.ends.count == 1, let outcome = record.end?.outcome else {
        return ["\(name) ended \(record.ends.count) times"]
      }
      var violations: [String] = []
      if !outcome.isInPlace { violations.append("\(name) ended on another queue") }
      if outcome.isInsideCall { violations.append("\(name) ended inside the call") }
      // A sign-in ends the former requests of a server.
      let isEnded = !plan.hasOnlyCalls || history.hasLostSession || record.plan.form == .server
      if outcome.kind == .cancelled, !record.isCancelled, !isEnded {
        violations.append("nobody cancelled \(name)")
      }
      return violations
    }
  }

  /// Promise 4: a request that isn't idempotent is received once, unless the server refused its token.
  static let sentOnce = Check(promise: "what isn't idempotent is sent once") { plan, history in
    var former: Set<String> = []
    return history.receptions.compactMap { _, reception in
      guard reception.method == "POST", let call = reception.call, reception.answer != .refusesConnection else {
        return nil
      }
      let key = "\(call) \(reception.url)"
      if former.contains(key) { return "POST of call \(call) came to \(reception.url) again" }
      if reception.refusal == nil { former.insert(key) }
      return nil
    }
  }

  static let bodies = Check(promise: "a body that can be read once is sent once") { _, history in
    var former: Set<Int> = []
    return history.entries.compactMap { entry in
      guard case .sent(let sending) = entry.sight, sending.hasStream, let call = sending.call else { return nil }
      return former.insert(call).inserted ? nil : "the body of call \(call) is sent again"
    }
  }

  /// Promise 3.
  static let identities = Check(promise: "identities stay apart") { plan, history in
    var violations: [String] = []
    for record in history.records(of: plan) {
      // A user who signs in takes over from the client.
      let users = Set(record.receptions.compactMap(\.2.user).drop { $0 == Servers.client })
      if users.count > 1 { violations.append("call \(record.plan.number) went out as users \(users.sorted())") }
      if record.plan.resource == nil, !record.plan.keepsFile, let end = record.end, end.outcome.kind == nil,
        let user = end.outcome.user, user != Servers.client, !users.contains(user)
      {
        violations.append("call \(record.plan.number) has the content of user \(user)")
      }
    }
    var former: [Int: Set<Int>] = [:]
    for entry in history.entries {
      switch entry.sight {
      case .signedOut(let process, let user?): former[process, default: []].insert(user)
      case .signedIn(let process, let user, _): former[process]?.remove(user)
      case .received(let reception) where reception.url.hasPrefix(Servers.other) && reception.token != nil:
        violations.append("a token went to another host")
      case .received(let reception) where !reception.url.hasPrefix(Servers.tokens):
        // A call that its caller cancels on another thread may still be about to cancel its transfer.
        if let user = reception.user, former[reception.process]?.contains(user) == true,
          plan.switchRate == 0 || !plan.contains({ if case .cancel = $0 { true } else { false } })
        {
          violations.append("a request to \(reception.url) was sent for user \(user) after the sign-out")
        }
      default: break
      }
    }
    // A user may sign in again, so only calls from before the sign-out count.
    for (index, entry) in history.entries.enumerated() {
      guard case .signedOut(let process, let user?) = entry.sight else { continue }
      for record in history.records(of: plan)
      // An awaited download is over before its task goes on.
      where record.plan.process == process && record.plan.form != .download && (record.start?.index ?? .max) < index {
        if record.isSuccess(after: index, in: history), record.end?.outcome.user == user {
          violations.append("call \(record.plan.number) is a success of user \(user) after the sign-out")
        }
      }
    }
    return violations + successesOfEndedServices(plan, history) + requestsOfServers(plan, history)
      + signOuts(plan, history)
  }

  /// A sign-out ends the transfers of its user. It comes before the first completion that it causes.
  private static func signOuts(_ plan: Plan, _ history: History) -> [String] {
    let records = history.records(of: plan)
    var transfers: [Int: (process: Int, user: Int)] = [:]
    var sent: [(index: Int, process: Int, user: Int?)] = []
    var (times, begin): ([Int: (user: Int, time: Double)], Int) = ([:], 0)
    var violations: [String] = []
    for (index, entry) in history.entries.enumerated() {
      switch entry.sight {
      case .step(let text) where text.hasPrefix("signOut"): begin = index
      case .sent(let sending) where !plan.isWithoutLayers(sending.call):
        sent.append((index, sending.process, sending.token.flatMap(Servers.user)))
      case .received(let reception):
        if let user = reception.user { transfers[reception.number] = (reception.process, user) }
      case .over(let number, _):
        guard let (process, user) = transfers.removeValue(forKey: number), let last = times[process],
          last.user == user, entry.time > last.time + 0.001, plan.stallRate == 0
        else { continue }
        violations.append("transfer \(number) of user \(user) goes on after the sign-out")
      case .signedIn(let process, _, _): times[process] = nil
      case .signedOut(let process, let user?):
        times[process] = (user, entry.time)
        let own = records.filter { $0.plan.process == process && $0.start?.index ?? .max < begin && $0.plan.needsToken }
        let cancelled = own.filter { !$0.isCancelled && $0.end?.outcome.kind == .cancelled }
        guard let first = cancelled.compactMap({ $0.end?.index }).filter({ $0 > begin }).min() else { continue }
        if sent.contains(where: { $0.index > first && $0.process == process && $0.user == user }) {
          violations.append("a request of user \(user) is sent after the sign-out has cancelled another one")
        }
        for record in own where record.plan.form == .response && record.end?.outcome.user == user {
          if record.isSuccess(after: first, in: history) {
            violations.append("call \(record.plan.number) is a success after the sign-out has cancelled another one")
          }
        }
      default: break
      }
    }
    return violations
  }

  /// A server sends as the user whom the app has set.
  private static func requestsOfServers(_ plan: Plan, _ history: History) -> [String] {
    var (user, place, starts): (Int?, Int, [Int: Int]) = (nil, 0, [:])
    return history.entries.enumerated().compactMap { index, entry in
      switch entry.sight {
      case .started(let call) where plan.isWithoutLayers(call): starts[call] = index
      case .signedIn(0, let signedIn, _): (user, place) = (signedIn, index)
      case .step(let text) where ["signOut", "kill", "restart"].contains(where: text.hasPrefix): user = nil
      case .died: user = nil
      case .received(let reception):
        guard let user, let start = reception.call.flatMap({ starts[$0] }), start > place, reception.user != user,
          !reception.url.hasPrefix(Servers.other)
        else { return nil }
        return "a server sends as user \(reception.user ?? 0), and user \(user) is signed in"
      default: break
      }
      return nil
    }
  }

  /// A service that was replaced or shut down delivers no success any more.
  private static func successesOfEndedServices(_ plan: Plan, _ history: History) -> [String] {
    // Calls of a service that the app let go of go on.
    guard !plan.contains({ if case .releaseService = $0 { true } else { false } }) else { return [] }
    var violations: [String] = []
    for (index, entry) in history.entries.enumerated() {
      guard case .closed(let count) = entry.sight else { continue }
      for record in history.records(of: plan)
      where record.plan.process == 0 && record.plan.form == .response && (record.start?.index ?? .max) < count {
        if record.isSuccess(after: index, in: history) {
          violations.append("call \(record.plan.number) is a success of a service that has ended")
        }
      }
    }
    return violations
  }

  /// A stream, a file and events against what the server sent.
  static let content = Check(promise: "content is whole, and events come once and in order") { plan, history in
    var last: [Int: Int] = [:]
    return history.entries.compactMap { entry in
      switch entry.sight {
      case .element(let call, let text):
        last[call, default: 0] += 1
        return text == "event \(last[call, default: 0])"
          ? nil : "call \(call) got \(text) as event \(last[call, default: 0])"
      case .ended(let call, let outcome) where outcome.kind == nil && !outcome.isWhole:
        return "call \(call) is a success without the whole content"
      default: return nil
      }
    }
  }

  /// A request is sent only while its call waits for it.
  static let sentForACall = Check(promise: "nothing is sent for nobody") { plan, history in
    var waiting: [Int: CallPlan] = [:]
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    return history.entries.compactMap { entry in
      switch entry.sight {
      case .started(let call): waiting[call] = calls[call]
      case .ended(let call, _): waiting[call] = nil
      case .sent(let sending):
        let isFile = sending.path.hasPrefix("/f")
        let isWanted =
          sending.call.map { waiting[$0] != nil }
          ?? waiting.values.contains {
            if isFile { return $0.keepsFile }
            return $0.resource != nil && !(plan.layers.hasCache && $0.cachePolicy == .onlyIfCached)
          }
        let isAnswered = sending.call.flatMap { calls[$0] }.map { $0.isAnsweredByApp && $0.form != .server } ?? false
        if isAnswered { return "\(sending.path) was sent, and a layer of the app answers it" }
        // A cache may refresh a response for the next call.
        if sending.resource != nil && plan.layers.hasCache || Servers.tokens.hasSuffix(sending.host) { return nil }
        return isWanted ? nil : "\(sending.path) was sent, and no call waits for it"
      default: break
      }
      return nil
    }
  }

  /// Violations that the world itself has seen.
  static let broken = Check(promise: "files are whole and belong to their user, and nothing is left") { _, history in
    history.entries.compactMap { if case .broken(let what) = $0.sight { what } else { nil } }
  }

  /// A download that gets some bytes first, and then any number of broken transfers, goes on where it was. Only errors
  /// of the server count as attempts.
  static let downloads = Check(promise: "a download goes on after each broken transfer") { plan, history in
    guard plan.hasOnlyCalls, plan.stallRate == 0, plan.client.deadline == nil,
      !plan.file.hasOtherParts, plan.layers.breaker == nil, plan.layers.limits == nil, !plan.layers.hasOwn,
      !plan.client.hasDisk
    else { return [] }
    return history.records(of: plan).compactMap { record in
      let call = record.plan
      guard call.form == .download, !call.keepsFile, !record.isCancelled, call.deadline == nil, let end = record.end,
        !call.needsToken || plan.isCalm && record.start.map({ history.isSignedIn(at: $0.index) }) == true,
        case .parts(1..., _, _)? = call.script.first, call.script.allSatisfy({ $0.isPartial || $0.isServerError })
      else { return nil }
      let stale = call.script.contains(where: \.isServerError) ? call.script.count { $0 == .stale } : 0
      guard call.script.count(where: \.isServerError) + stale < plan.client.attempts else { return nil }
      return end.outcome.kind == nil ? nil : "call \(call.number) ended with \(end.outcome.text)"
    }
  }

  static let progress = Check(promise: "no progress follows the completion, and none is beyond the end") {
    plan, history in
    // A stream that its reader ends may end during a call of the closure.
    var over: Set<Int> = []
    var running = Set(plan.calls.filter { [.lines, .events].contains($0.form) }.map(\.number))
    return history.entries.compactMap { entry in
      if case .ended(let call, _) = entry.sight { over.insert(call) }
      guard case .progress(let call, let progress) = entry.sight else { return nil }
      if over.contains(call), running.remove(call) == nil { return "call \(call) has progress after its end" }
      return progress.received < 0 || progress.received > progress.expectedToReceive ?? .max
        ? "call \(call) has \(progress.received) bytes of \(progress.expectedToReceive ?? 0)" : nil
    }
  }

  static let events = Check(promise: "events of a request end with its delivery") { plan, history in
    var (over, times): (Set<UInt64>, [UInt64: Double]) = ([], [:])
    var violations: [String] = []
    for case .event(let request, let kind, let time) in history.entries.map(\.sight) {
      if over.contains(request) { violations.append("\(kind) comes after the delivery") }
      if kind == "delivered" { over.insert(request) }
      if time < times[request] ?? 0 { violations.append("\(kind) has an earlier time than the event before it") }
      times[request] = time
    }
    // A cache has no events for a request that refreshes what it has.
    if plan.client.isMonitored, plan.hasOnlyCalls, plan.switchRate == 0, !plan.layers.hasCache {
      let told = history.entries.count { if case .event(_, "sent", _) = $0.sight { true } else { false } }
      let sent = history.entries.count {
        if case .sent(let sending) = $0.sight { !plan.isWithoutLayers(sending.call) } else { false }
      }
      if told != sent { violations.append("monitors are told of \(told) transfers, and there were \(sent)") }
    }
    let left = Set(times.keys).subtracting(over)
    return left.isEmpty || history.death != nil ? violations : violations + ["\(left.count) requests have no delivery"]
  }
}

extension CallPlan.Answer {
  /// Whether the answer brings bytes in time, or no head.
  fileprivate var isPartial: Bool {
    switch self {
    case .parts(let count, let gap, let breaks): count > 0 && gap <= 0.1 && (breaks || count == 8)
    case .refusesConnection, .stale: true
    case .breaks(let delay): delay <= 0.1
    default: false
    }
  }

  fileprivate var isServerError: Bool { if case .status(500..., 0...0.1, nil) = self { true } else { false } }
}
