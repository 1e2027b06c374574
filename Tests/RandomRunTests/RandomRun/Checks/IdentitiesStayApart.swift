extension Check {
  /// Promise 3: all requests of a call have one identity, and the call gets no content of another identity.
  static let identitiesStayApart = Check(promise: "identities stay apart") { plan, record in
    var violations: [String] = []
    var sent: [Int: Set<Int>] = [:]
    for reception in record.receptions.map(\.reception) {
      guard let call = reception.call, let identity = reception.identity else { continue }
      sent[call, default: []].insert(identity)
    }
    for (call, identities) in sent.sorted(by: { $0.key < $1.key }) where identities.count > 1 {
      violations.append("requests of call \(call) went out as \(identities.sorted())")
    }
    for call in plan.calls {
      let ends = record.ends(of: call.number).map(\.outcome.delivery)
      let elements = record.entries.compactMap { entry -> Delivery? in
        guard case .element(call.number, let delivery) = entry.sight else { return nil }
        return delivery
      }
      let given = (ends + elements).reduce(into: Set<Int>()) { $0.formUnion($1.identities) }
      if given.count > 1 {
        violations.append("call \(call.number) was given what is for \(given.sorted())")
      }
      if case .own = call.target, let own = sent[call.number], !given.subtracting([-1]).isSubset(of: own) {
        violations.append("call \(call.number) went out as \(own.sorted()) and was given what is for \(given.sorted())")
      }
      if plan.owners[plan.clients[call.client].owner].kind == .tokens, call.authorization == .none,
        case .shared = call.target, !given.isSubset(of: [call.hasVisitor ? call.ownIdentity : -1])
      {
        let visitor = call.hasVisitor ? "its visitor" : "no visitor"
        violations.append("call \(call.number) named \(visitor) and was given what is for \(given.sorted())")
      }
      if let host = call.host, case .shared = call.target {
        let hosts = ends.reduce(into: Set<String>()) { $0.formUnion($1.hosts) }
        if !hosts.subtracting([host]).isEmpty {
          violations.append("call \(call.number) asked the host \(host) and was given what is of \(hosts.sorted())")
        }
      } else if case .shared = call.target {
        let strangers = ends.flatMap(\.hosts).filter { $0.hasPrefix("virtual") }
        if !strangers.isEmpty { violations.append("call \(call.number) was given what is of the host \(strangers)") }
      }
    }
    return violations
  }
}
