import WebServices

extension Check {
  /// The circuit breaker against a plain account of each host: open if and only if its results say so.
  static let breaker = Check(promise: "a circuit is open if and only if its host fails") { plan, history in
    // The account needs the order of the results, and who ended a transfer. A download ends one whose part of the file
    // it hasn't requested.
    guard let policy = plan.layers.breaker, plan.hasOnlyCalls, plan.switchRate == 0, !plan.layers.coalesces,
      plan.layers.isBehindCache(.breaker), plan.layers.order == 0, !plan.file.hasOtherParts,
      !plan.calls.contains(where: \.isAnsweredByApp)
    else {
      return []
    }
    let hosts = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    let hasDeadline = plan.client.deadline != nil || plan.calls.contains { $0.deadline != nil }
    var accounts: [String: Account] = [:]
    var open: [Int: Sending] = [:]
    var times: [Int: [Double]] = [:]
    // A user's sign-out cancels calls too.
    var cancelled = Set(
      history.entries.compactMap { entry in
        if case .ended(let call, let outcome) = entry.sight, outcome.kind == .cancelled { call } else { nil }
      })
    // A cancel that came after a time limit isn't the reason why the transfer ended.
    let late = history.entries.compactMap { entry in
      if case .ended(let call, let outcome) = entry.sight, outcome.kind == .timedOut { call } else { nil }
    }
    var violations: [String] = []
    for entry in history.entries {
      switch entry.sight {
      case .cancelled(let call) where !late.contains(call): cancelled.insert(call)
      case .sent(let sending)
      where !Servers.tokens.hasSuffix(sending.host) && !plan.isWithoutLayers(sending.call):
        open[sending.number] = sending
        if let call = sending.call { times[call, default: []].append(entry.time) }
        let isAdmitted = accounts[sending.host, default: Account(policy)].admits(sending.number, entry.time)
        if !isAdmitted { violations.append("\(sending.path) was sent at \(entry.time), and the circuit is open") }
      case .over(let number, let ending):
        guard let sending = open.removeValue(forKey: number) else { continue }
        let isWorking: Bool? =
          switch ending {
          case .status(let status, _): status < 500
          case .failed(let isStale, _): isStale && !sending.needsNewConnection ? nil : false
          case .cancelled: sending.call.map(cancelled.contains) == false ? false : nil
          }
        // A resource's caller isn't known, so its timeout and its cancel look alike. A stream
        // that has begun may pass its deadline.
        let isStreamed = sending.call.flatMap { hosts[$0] }?.form ?? .response != .response
        if ending == .cancelled, sending.call == nil || hasDeadline && isStreamed { return violations }
        // A cancel in the moment of a time limit may come before or after it.
        if ending == .cancelled, let call = sending.call, cancelled.contains(call) {
          let limit = hosts[call]?.timeout ?? plan.client.timeout
          if times[call]?.contains(where: { abs(entry.time - $0 - limit) < 0.001 }) == true { return violations }
        }
        accounts[sending.host]?.record(isWorking, of: number, entry.time)
      case .ended(let number, let outcome) where outcome.kind == .circuitOpen && hosts[number] != nil:
        // A call may have been redirected, so any open circuit will do. Where requests wait for their turn, a probe may
        // be on its way unseen.
        if plan.layers.limits == nil, !accounts.values.contains(where: { $0.mayRefuse(entry.time) }) {
          violations.append("call \(number) was refused at \(entry.time), and the circuit is closed")
        }
      default: break
      }
    }
    return violations
  }

  /// The account of one host.
  private struct Account {
    let policy: CircuitBreakerPolicy
    private var successes = 0
    private var failures = 0
    private var windowEnd = -Double.infinity
    /// When the circuit opened last; `nil` while it is closed.
    private var opening: Double?
    private var probes: Set<Int> = []
    private var lastProbe = -Double.infinity
    /// Whether a probe took so long that another one followed. Which of the two counts isn't defined.
    private var isUnclear = false
    /// The transfers that were sent since the circuit last changed.
    private var current: Set<Int> = []
    /// When the last refusal was still right.
    private var lastChange = -Double.infinity

    init(_ policy: CircuitBreakerPolicy) { self.policy = policy }

    mutating func admits(_ number: Int, _ time: Double) -> Bool {
      current.insert(number)
      guard let opening, !isUnclear else { return true }
      if !probes.isEmpty {
        // Another request probes only if the first has taken too long.
        guard time >= lastProbe + policy.openDuration - 0.001 else { return false }
        isUnclear = true
      }
      lastProbe = time
      probes.insert(number)
      return time >= opening + policy.openDuration - 0.001
    }

    /// The open time has a random part of up to a half. A request is refused as long as a probe is on its way.
    func mayRefuse(_ time: Double) -> Bool {
      if time <= lastChange || isUnclear { return true }
      return opening.map { time <= $0 + 1.5 * policy.openDuration + 0.001 || !probes.isEmpty } ?? false
    }

    mutating func record(_ isWorking: Bool?, of number: Int, _ time: Double) {
      let isProbe = probes.remove(number) != nil
      // Until now the probe was a reason to refuse others.
      if isProbe { lastChange = time }
      guard current.remove(number) != nil, let isWorking else { return }
      if opening != nil {
        guard isProbe, !isUnclear else { return }
        change(to: isWorking ? nil : time, time)
        if isWorking { windowEnd = -.infinity }
        return
      }
      if time >= windowEnd { (successes, failures, windowEnd) = (0, 0, time + policy.window) }
      if isWorking { successes += 1 } else { failures += 1 }
      let volume = successes + failures
      guard !isWorking, volume >= policy.minimumVolume, Double(failures) >= policy.failureRatio * Double(volume)
      else { return }
      change(to: time, time)
    }

    private mutating func change(to opening: Double?, _ time: Double) {
      self.opening = opening
      lastChange = time
      // Results of transfers from before the change don't count.
      current = []
      probes = []
    }
  }
}
