extension Check {
  /// The limits against counting.
  static let limits = Check(promise: "limits are kept") { plan, history in
    // A cache refreshes what it has through the layers behind it.
    guard let limits = plan.layers.limits, plan.layers.isBehindCache(.limits),
      // A caller that leaves a shared transfer gives its permit back at once.
      !plan.layers.coalesces || plan.layers.order == 0
    else { return [] }
    // The limits begin anew with another service.
    let isReplaced = plan.contains {
      if case .swapService = $0 { true } else if case .restart = $0 { true } else { false }
    }
    var open: [Int: Sending] = [:]
    var times: [String: [Double]] = [:]
    var pauses: [String: Double] = [:]
    var violations: [String] = []
    for entry in history.entries {
      switch entry.sight {
      // A renewal passes the limits. The process that `openTwin` starts has limits of its own.
      case .sent(let sending)
      where !Servers.tokens.hasSuffix(sending.host) && !plan.isWithoutLayers(sending.call):
        let key = "process \(sending.process) at \(sending.host)"
        open[sending.number] = sending
        let count = open.values.count { $0.host == sending.host && $0.process == sending.process }
        if let limit = limits.concurrentRequestsPerHost, count > limit, !isReplaced {
          violations.append("\(key) has \(count) requests in flight")
        }
        times[key, default: []].append(entry.time)
        // Work that was stopped may send a moment later.
        if let rate = limits.rate, plan.switchRate == 0, !isReplaced,
          let first = times[key]?.dropLast(rate.burst).last
        {
          let passed = entry.time - first
          // `burst` requests lie between both.
          if passed * rate.requestsPerSecond < 1 - 0.001 { violations.append("\(key) sent too many at \(entry.time)") }
        }
        if plan.switchRate == 0, !isReplaced, let end = pauses[key], entry.time < end - 0.001 {
          violations.append("\(key) sent within a pause that the server asked for")
        }
      case .over(let number, let ending):
        guard let sending = open.removeValue(forKey: number) else { continue }
        let demanded: Double? =
          switch ending {
          case .status(429, let wait), .status(503, let wait), .failed(_, let wait): wait
          default: nil
          }
        if let wait = demanded {
          let key = "process \(sending.process) at \(sending.host)"
          pauses[key] = max(pauses[key] ?? 0, entry.time + min(wait, limits.serverWaitLimit))
        }
      default: break
      }
    }
    return violations
  }
}

extension Check {
  /// The order of waiting requests against a plain look at who waits.
  static let priorities = Check(promise: "a higher priority goes first") { plan, history in
    guard plan.layers.limits != nil, plan.layers.breaker == nil, plan.hasOnlyCalls,
      plan.switchRate == 0, plan.stallRate == 0
    else { return [] }
    let calls = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    let ends = Dictionary(history.records(of: plan).map { ($0.plan.number, $0.end?.time ?? .infinity) }) { $1 }
    var waiting: [Int: Double] = [:]
    /// The resources whose transfers are under way.
    var open: [Int: Int] = [:]
    return history.entries.compactMap { entry in
      switch entry.sight {
      case .started(let number):
        guard let call = calls[number], !call.needsToken, !call.isAnsweredByApp, !call.keepsFile, call.form != .server
        else { return nil }
        // Such a call may have nothing to wait for.
        if let resource = call.resource, plan.layers.hasCache || open.values.contains(resource) { return nil }
        waiting[number] = entry.time
      case .cancelled(let number), .ended(let number, _): waiting[number] = nil
      case .over(let number, _): open[number] = nil
      case .sent(let sending):
        if let resource = sending.resource {
          open[sending.number] = resource
          waiting = waiting.filter { calls[$0.key]?.resource != resource }
        }
        guard let number = sending.call, let call = calls[number], sending.host.hasPrefix("api"), call.form != .server
        else { return nil }
        waiting[number] = nil
        // The deadline of a call may come at the same moment.
        let passed = waiting.first { other, start in
          start < entry.time - 0.001 && (ends[other] ?? 0) > entry.time + 0.001
            && (calls[other]?.priority.rawValue ?? 0) > call.priority.rawValue
            && calls[other]?.process == call.process
        }
        return passed.map { "call \(number) was sent before call \($0.key)" }
      default: break
      }
      return nil
    }
  }
}
