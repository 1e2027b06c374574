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
        if reception.resource != nil, reception.version != nil {
          set.insert("visit=\(reception.process).\(reception.number).session")
        }
      // A call that begins during a sign-out may be of the next user.
      case .step(let text) where text.hasPrefix("signOut"): former = set
      case .signedOut(let process, _): forgotten.formUnion(former.filter { $0.hasPrefix("visit=\(process).") })
      default: break
      }
    }
    return violations
  }
}
