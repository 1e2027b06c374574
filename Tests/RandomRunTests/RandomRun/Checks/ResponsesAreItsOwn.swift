extension Check {
  /// Promises 3 and 7: a call gets only the content that its server sent for its request.
  static let responsesAreItsOwn = Check(promise: "a response is that of its own request") { plan, record in
    let receptions = Dictionary(record.receptions.map { ($0.reception.name, $0.reception) }, uniquingKeysWith: { $1 })
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    var starts: [Int: Int] = [:]
    var pushes: [String: Int] = [:]
    var violations: [String] = []
    for (index, entry) in record.entries.enumerated() {
      switch entry.sight {
      case .started(let call, _): starts[call] = index
      case .pushed(let name): pushes[name] = index
      case .element(let number, let delivery):
        guard let call = calls[number], !delivery.targets.isSubset(of: [call.label])
        else { continue }
        violations.append("call \(number) was given an element of \(delivery.targets)")
      case .ended(let number, let outcome):
        guard let call = calls[number] else { continue }
        let delivery = outcome.delivery
        // Servers push only while the client has no other request in progress.
        if let name = delivery.pushed, let start = starts[number], let push = pushes[name], push < start {
          violations.append("call \(number) was given a response that nobody asked for")
        }
        if !delivery.targets.isSubset(of: [call.label]) {
          violations.append("call \(number) asked for \(call.label) and was given \(delivery.targets)")
        }
        guard let name = delivery.reception else { continue }
        guard let reception = receptions[name] else {
          violations.append("call \(number) was given the response to a request \(name) that no server has received")
          continue
        }
        if case .own = call.target, reception.call != number {
          violations.append("call \(number) was given the response to a request of call \(reception.call ?? -1)")
        }
      default: break
      }
    }
    return violations
  }
}
