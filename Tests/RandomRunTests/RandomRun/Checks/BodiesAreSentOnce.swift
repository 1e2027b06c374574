extension Check {
  /// Promise 4: a server receives a request that isn't idempotent a second time only after a 401.
  static let bodiesAreSentOnce = Check(promise: "what may be sent once is received once") { plan, record in
    struct Key: Hashable {
      var call: Int
      var origin: Int
      var method: String
      var path: String
    }
    let repeatable = Set(plan.calls.filter(\.isDeclaredIdempotent).map(\.number))
    var former: [Key: Reception] = [:]
    var violations: [String] = []
    let receptions = record.receptions.map(\.reception).sorted { ($0.origin, $0.order) < ($1.origin, $1.order) }
    for reception in receptions where reception.method == "POST" || reception.method == "PATCH" {
      guard let call = reception.call, !repeatable.contains(call) else { continue }
      let key = Key(call: call, origin: reception.origin, method: reception.method, path: reception.path)
      if let first = former[key], first.status != 401 {
        violations.append(
          "\(key.method) \(key.path) of call \(call) came to origin \(key.origin) again, after "
            + (first.status.map { "status \($0)" } ?? "no response"))
      }
      former[key] = reception
    }
    return violations
  }
}
