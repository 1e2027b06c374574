extension Check {
  /// Promise 2: a renewed token isn't renewed again, unless the app has ended the service that asked before the
  /// response arrived.
  static let tokensAreRenewedOnce = Check(promise: "each refresh token is used once") { plan, record in
    var used: [Secret: Double] = [:]
    var swaps: [Int: Double] = [:]
    var violations: [String] = []
    for entry in record.entries {
      switch entry.sight {
      case .swapped(let client, _):
        swaps[plan.owners[plan.clients[client].owner].home] = entry.time
      case .received(let reception) where reception.path == "/renew" && reception.status == 200:
        for token in reception.secrets where token.isRefreshToken {
          let former = used.updateValue(entry.time, forKey: token)
          // A renewal that the former service sent may arrive this long after the swap.
          let endOfGrace = swaps[token.home].map { $0 + travelTime + 3 * record.longestStall } ?? -1
          guard let former, former > endOfGrace else { continue }
          violations.append("\(token.text) came to origin \(reception.origin) again after it was renewed")
        }
      default: break
      }
    }
    return violations
  }

  /// No call sends requests again and again without a pause.
  static let requestsAreFew = Check(promise: "no call asks without measure") { _, record in
    var counts: [Int: Int] = [:]
    for reception in record.receptions.map(\.reception) {
      if let call = reception.call { counts[call, default: 0] += 1 }
    }
    let seconds = record.entries.last?.time ?? 0
    return counts.sorted { $0.key < $1.key }.compactMap { call, count in
      Double(count) > 60 + 25 * seconds ? "call \(call) sent \(count) requests in \(seconds) s" : nil
    }
  }
}
