extension Check {
  /// Promise 3: after a sign-out has returned, no call of that identity succeeds and no request is sent for it.
  static let nothingOutlivesTheSignOut = Check(promise: "nothing outlives the sign-out") { plan, record in
    var ended: [Int: Int] = [:]
    var swapped: [Int: [Int: Int]] = [:]
    var generations: [Int: Int] = [:]
    var elementsAfter: [Int: Int] = [:]
    var violations: [String] = []
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    for (index, entry) in record.entries.enumerated() {
      switch entry.sight {
      case .started(let call, let generation): generations[call] = generation
      case .signedOut(_, let identity): ended[identity] = index
      case .swapped(let client, let generation): swapped[client, default: [:]][generation] = index
      case .element(let number, let delivery):
        guard delivery.identities.contains(where: { ended[$0] != nil }), let call = calls[number] else { continue }
        elementsAfter[number, default: 0] += 1
        // One element may already be on its way to an actor.
        if call.form == .streamed || elementsAfter[number, default: 0] > 1 {
          violations.append("call \(number) was given an element of \(delivery.identities) after the sign-out")
        }
      case .ended(let number, let outcome):
        guard outcome.isSuccess, let call = calls[number], call.form != .streamAwaited, call.form != .events,
          call.form != .pages
        else { continue }
        if outcome.delivery.identities.contains(where: { ended[$0] != nil }) {
          violations.append("call \(number) is a success of \(outcome.delivery.identities) after the sign-out")
        }
        if let generation = generations[number], swapped[call.client]?[generation] != nil {
          violations.append("call \(number) is a success of a service that was swapped before")
        }
      case .received(let reception):
        guard let identity = reception.identity, let end = ended[identity], !reception.isSwallowed else { continue }
        // A request that was sent before the sign-out arrives a little later.
        let age = entry.time - record.entries[end].time
        if age > Self.travelTime + 3 * record.longestStall {
          violations.append(
            "\(reception.method) \(reception.path) came as \(identity) \(age) s after the sign-out")
        }
      default: break
      }
    }
    return violations
  }
}
