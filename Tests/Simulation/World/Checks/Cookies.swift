extension Check {
  /// The cookies against what the servers have set: each request of a resource carries the newest cookie.
  static let cookies = Check(promise: "cookies come back to their server and user") { plan, history in
    guard plan.layers.hasCookies else {
      return history.receptions.compactMap { $0.1.cookie.map { "a request carries the cookie \($0)" } }
    }
    let records = history.records(of: plan)
    var violations: [String] = []
    var forgotten: Set<String> = []
    var set: Set<String> = []
    var former: Set<String> = []
    for entry in history.entries {
      switch entry.sight {
      case .received(let reception):
        if let cookie = reception.cookie, reception.url.hasPrefix(Servers.other) {
          violations.append("the cookie \(cookie) went to another host")
        }
        if let cookie = reception.cookie, forgotten.contains(cookie),
          let call = records.first(where: { $0.plan.number == reception.call }), let start = call.start,
          history.entries[..<start.index].contains(where: { if case .signedOut = $0.sight { true } else { false } })
        {
          violations.append("call \(call.plan.number) carries the cookie \(cookie) of the former user")
        }
        set.insert(reception.newCookie)
      // A call that begins during a sign-out may be of the next user.
      case .step(let text) where text.hasPrefix("signOut"): former = set
      case .signedOut(let process, _): forgotten.formUnion(former.filter { $0.hasPrefix("visit=\(process).") })
      default: break
      }
    }
    return violations
  }

  /// A cookie that a stream has replaced doesn't come back, also while the stream lasts. Other responses may come at
  /// the moment of a timeout or a cancel, and then set no cookie.
  static let newestCookies = Check(promise: "no cookie replaces that of a stream") { plan, history in
    guard plan.layers.hasCookies, plan.hasOnlyCalls, !history.hasLostSession else { return [] }
    let starts = Dictionary(uniqueKeysWithValues: history.records(of: plan).map { ($0.plan.number, $0.start?.index) })
    var received: [Int: (place: Int, Reception)] = [:]
    /// When the library had the response that set a cookie.
    var stored: [String: Int] = [:]
    /// When the server had the request of a stream, and when the library had its head.
    var streams: [(received: Int, place: Int, Reception)] = []
    var violations: [String] = []
    for (place, entry) in history.entries.enumerated() {
      switch entry.sight {
      case .received(let reception):
        received[reception.number] = (place, reception)
        guard let call = reception.call, let start = starts[call] ?? nil, let cookie = reception.cookie,
          let former = stored[cookie]
        else { continue }
        for (received, place, stream) in streams
        where stream.process == reception.process && former < received && place < start {
          violations.append("call \(call) carries \(cookie) instead of \(stream.newCookie)")
        }
      case .begun(let number):
        guard let (former, reception) = received[number], reception.url.hasPrefix(Servers.api) else { continue }
        stored[reception.newCookie] = place
        streams.append((former, place, reception))
      case .taken(let number):
        guard let cookie = received[number]?.1.newCookie else { continue }
        stored[cookie] = stored[cookie] ?? place
      default: break
      }
    }
    return violations
  }
}
