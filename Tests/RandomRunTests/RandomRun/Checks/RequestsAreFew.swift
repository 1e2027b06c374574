extension Check {
  /// Promise 2: a token that was renewed isn't renewed again.
  static let tokensAreRenewedOnce = Check(promise: "each refresh token is used once") { _, record in
    var used: Set<Secret> = []
    var violations: [String] = []
    for reception in record.receptions.map(\.reception) where reception.path == "/renew" && reception.status == 200 {
      let tokens = reception.secrets.filter { $0.number == 2 || $0.number > 500_000 }
      for token in tokens where !used.insert(token).inserted {
        violations.append("\(token.text) came to origin \(reception.origin) again after it was renewed")
      }
    }
    return violations
  }

  /// No call asks a server again and again without a pause.
  static let requestsAreFew = Check(promise: "no call asks without measure") { _, record in
    var counts: [Int: Int] = [:]
    for reception in record.receptions.map(\.reception) {
      if let call = reception.call { counts[call, default: 0] += 1 }
    }
    let seconds = record.entries.last?.time ?? 0
    return counts.sorted { $0.key < $1.key }.compactMap { call, count in
      Double(count) > 60 + 25 * seconds ? "call \(call) was asked \(count) times in \(seconds) s" : nil
    }
  }
}
