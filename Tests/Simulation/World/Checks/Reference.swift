import WebServicesCore

/// The end of a call that nothing but its servers disturbs. It repeats the policies for redirects, retries and timeouts
/// as plainly as possible.
struct Reference {
  private(set) var requests = 0
  private(set) var status: Int?
  private(set) var kind: WebServiceError.Kind?
  private(set) var earliest = 0.0
  private(set) var latest = 0.0

  /// - Returns: `nil` if the end depends on more than the plan says.
  init?(_ call: CallPlan, _ plan: Plan) {
    let timeout = call.timeout ?? plan.client.timeout
    var (attempt, spent, index, method) = (1, 0.0, 0, call.method)
    var mayNeedConnection = true
    // Nothing is sent for such a call.
    status = call.isAnsweredByApp ? 200 : nil
    if call.isAnsweredByApp { return }
    while true {
      let answer = call.answer(index)
      index += 1
      if answer.reachesServer || answer == .stale { requests += 1 }
      guard index < 12 else { return nil }
      let duration = plan.client.connectionDelay + answer.delay
      let isTimedOut = spent + duration > timeout
      // Whether the timeout or the answer comes first isn't defined.
      guard abs(spent + duration - timeout) > 0.1 else { return nil }
      let passed = isTimedOut ? timeout - spent : duration
      (spent, earliest, latest) = (spent + passed, earliest + passed, latest + passed)
      var demanded: Double?
      (status, kind) = (nil, .sessionFailure)
      if isTimedOut {
        kind = .timedOut
      } else if case .redirect(let code, let toOther, _) = answer {
        if code == 303 && method != "GET" || code < 303 && method == "POST" { method = "GET" }
        guard !toOther || method == "GET" else {
          (status, kind) = (code, .redirect)
          return
        }
        mayNeedConnection = true
        continue
      } else if case .status(let code, _, let retryAfter) = answer {
        status = code
        kind = code < 300 ? nil : .statusCode(code)
        demanded = retryAfter.map(Double.init)
      } else if case .cut(_, let retryAfter) = answer {
        demanded = retryAfter.map(Double.init)
      }
      let (isIdempotent, isUnsent) = (method != "POST", answer == .refusesConnection && !isTimedOut)
      if answer == .stale, mayNeedConnection, isIdempotent {
        mayNeedConnection = false
        (attempt, spent) = (attempt + 1, 0)
        continue
      }
      let isRetried = status.map { [429, 500, 503].contains($0) } ?? (kind != nil)
      guard isRetried, isIdempotent || isUnsent, attempt < plan.client.attempts else { return }
      (attempt, spent) = (attempt + 1, 0)
      earliest += demanded ?? 0
      latest += (demanded ?? 0) + max(plan.client.backoff, (demanded ?? 0) / 10)
    }
  }

}

extension CallPlan.Answer {
  fileprivate var refusesToken: Bool { if case .status(401, _, _) = self { true } else { false } }

  fileprivate var delay: Double {
    switch self {
    case .status(_, let delay, _), .redirect(_, _, let delay), .breaks(let delay),
      .cut(let delay, _):
      delay
    case .silence, .parts: .infinity
    case .stale, .refusesConnection: 0
    }
  }
}

extension History {
  /// Whether a user had signed in before this entry.
  func isSignedIn(at index: Int) -> Bool {
    entries[..<index].contains { if case .signedIn = $0.sight { true } else { false } }
  }
}

extension Plan {
  /// Whether no step but calls, cancels and sign-ins happens.
  var hasOnlyCalls: Bool {
    steps.allSatisfy { step in
      switch step.action {
      case .call, .cancel, .signIn: true
      default: false
      }
    }
  }

  /// Whether nothing but the servers disturbs a call, and every token is good.
  var isCalm: Bool {
    let refuses = calls.contains { $0.needsToken && $0.script.contains(where: \.refusesToken) }
    let refusesFile = calls.contains(where: \.keepsFile) && file.script.contains(where: \.refusesToken)
    return hasOnlyCalls && !refuses && !refusesFile && stallRate == 0 && account.lifetime >= 3600
  }
}

extension Check {
  /// A call that nothing disturbs ends as the reference does.
  static let reference = Check(promise: "a call does what its policies say") { plan, history in
    guard plan.isCalm else { return [] }
    return history.records(of: plan).compactMap { record in
      guard !record.isCancelled, record.plan.resource == nil, record.plan.form == .response, !record.plan.hasStream,
        plan.layers.breaker == nil,
        // A limit may delay a request for longer than its timeout.
        plan.layers.limits == nil, let start = record.start, let end = record.end,
        !record.plan.needsToken || history.isSignedIn(at: start.index),
        let reference = Reference(record.plan, plan),
        reference.latest < (record.plan.deadline ?? plan.client.deadline ?? .infinity) - 0.2
      else { return nil }
      let name = "call \(record.plan.number)"
      let (outcome, time) = (end.outcome, end.time - start.time)
      let isSame =
        switch reference.kind {
        case nil, .statusCode, .redirect: outcome.kind == reference.kind && outcome.status == reference.status
        default: outcome.kind == reference.kind
        }
      if !isSame {
        let (kind, wanted) = (outcome.kind.map { "\($0)" } ?? "success", reference.kind.map { "\($0)" } ?? "success")
        return "\(name) ended as \(kind), not as \(wanted)"
      }
      if record.receptions.count(where: { $0.2.answer != .refusesConnection }) != reference.requests {
        return "\(name) sent \(record.receptions.count) requests, not \(reference.requests)"
      }
      guard time > reference.earliest - 0.001, time < reference.latest + 0.001 else {
        return "\(name) took \(time) s, not \(reference.earliest) to \(reference.latest) s"
      }
      return nil
    }
  }
}
