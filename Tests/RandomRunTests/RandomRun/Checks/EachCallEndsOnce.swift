extension Check {
  /// Promise 1: each completion runs exactly once.
  static let eachCallEndsOnce = Check(promise: "each completion runs exactly once, in its place") { plan, record in
    var started: Set<Int> = []
    var ends: [Int: [Outcome]] = [:]
    for entry in record.entries {
      switch entry.sight {
      case .started(let call, _): started.insert(call)
      case .ended(let call, let outcome): ends[call, default: []].append(outcome)
      default: break
      }
    }
    let wrongCounts = started.sorted().compactMap { call in
      let count = ends[call]?.count ?? 0
      return count == 1 ? nil : "call \(call) ended \(count) times"
    }
    let misplaced = ends.sorted { $0.key < $1.key }.flatMap { call, outcomes in
      outcomes.filter { !$0.isInPlace }.map { _ in "call \(call) ended on another queue than its own" }
    }
    return wrongCounts + misplaced
  }
}
