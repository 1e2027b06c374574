extension Check {
  /// Promise 7: a truncated body never counts as a success.
  static let contentIsWhole = Check(promise: "a success has the whole content") { plan, record in
    plan.calls.flatMap { call in
      record.ends(of: call.number).filter {
        $0.failure == nil && $0.delivery.isWhole == false && $0.delivery.pushed == nil
      }.map { _ in "call \(call.number) is a success with a part of the content, or with other content" }
    }
  }

  /// Promises 3 and 7: a call gets only the content that its server sent for its request.
  static let responsesAreItsOwn = Check(promise: "a response is that of its own request") { _, record in
    let receptions = Dictionary(record.receptions.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    var starts: [Int: Int] = [:]
    var pushes: [String: Int] = [:]
    var violations: [String] = []
    func check(_ delivery: Delivery, of call: Int) {
      if !delivery.targets.isSubset(of: [CallPlan(number: call).label]) {
        violations.append("call \(call) was given \(delivery.targets)")
      }
    }
    for (index, entry) in record.entries.enumerated() {
      switch entry.sight {
      case .started(let call): starts[call] = index
      case .pushed(let name): pushes[name] = index
      case .element(let call, let delivery): check(delivery, of: call)
      case .ended(let call, let outcome):
        check(outcome.delivery, of: call)
        // Servers push only while the client has no other request in progress.
        if let name = outcome.delivery.pushed, let start = starts[call], let push = pushes[name], push < start {
          violations.append("call \(call) was given a response that nobody asked for")
        }
        if let name = outcome.delivery.reception, receptions[name]?.call != call {
          violations.append("call \(call) was given the response to a request \(name) of another call")
        }
      default: break
      }
    }
    return violations
  }
}
