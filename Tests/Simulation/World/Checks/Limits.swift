extension Check {
  /// The limits against counting.
  static let limits = Check(promise: "limits are kept") { plan, history in
    guard let limits = plan.layers.limits else { return [] }
    var open: [Int: Sending] = [:]
    var times: [String: [Double]] = [:]
    var pauses: [String: Double] = [:]
    var violations: [String] = []
    for entry in history.entries {
      switch entry.sight {
      // A renewal passes the limits. The process that `openTwin` starts has limits of its own.
      case .sent(let sending) where !Servers.tokens.hasSuffix(sending.host):
        let key = "process \(sending.process) at \(sending.host)"
        open[sending.number] = sending
        let count = open.values.count { $0.host == sending.host && $0.process == sending.process }
        if let limit = limits.concurrentRequestsPerHost, count > limit, !plan.replacesService {
          violations.append("\(key) has \(count) requests in flight")
        }
        times[key, default: []].append(entry.time)
        // Work that was stopped may send a moment later.
        if let rate = limits.rate, plan.switchRate == 0, !plan.replacesService,
          let first = times[key]?.dropLast(rate.burst).last
        {
          let passed = entry.time - first
          // `burst` requests lie between both.
          if passed * rate.requestsPerSecond < 1 - 0.001 { violations.append("\(key) sent too many at \(entry.time)") }
        }
        if plan.switchRate == 0, !plan.replacesService, let end = pauses[key], entry.time < end - 0.001 {
          violations.append("\(key) sent within a pause that the server asked for")
        }
      case .over(let number, let ending):
        guard let sending = open.removeValue(forKey: number) else { continue }
        if case .status(let status, let wait?) = ending, [429, 503].contains(status) {
          let key = "process \(sending.process) at \(sending.host)"
          pauses[key] = max(pauses[key] ?? 0, entry.time + min(wait, limits.serverWaitLimit))
        }
      default: break
      }
    }
    return violations
  }
}

extension Plan {
  /// Whether the limits and circuits begin anew, because another service takes the place of the first.
  var replacesService: Bool { contains { if case .swapService = $0 { true } else { false } } }
}
