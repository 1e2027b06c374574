import WebServices

extension Plan {
  /// Makes the plan of a seed.
  package init(seed: UInt64) {
    self.init(seed: seed, schedule: 0)
    var maker = PlanMaker(seed: seed)
    maker.fill(&self)
  }
}

/// Makes plans at random. A plan is short and crowded: most defects need few steps that meet.
private struct PlanMaker {
  private var chance: Chance
  private var callCount = 0
  /// Whether everything in the plan happens at once. Then most work can meet other work.
  private var isInstant = false
  /// The resource that most calls are for.
  private lazy var resource = chance.below(3)

  init(seed: UInt64) { chance = Chance(seed: seed) }

  mutating func fill(_ plan: inout Plan) {
    isInstant = chance.percent(30)
    plan.switchRate = chance.pick(0, 0.02, 0.1, 0.3)
    plan.stallRate = chance.percent(30) ? 0.3 : 0
    plan.client = client()
    plan.account = account()
    if chance.percent(60) { addLayers(to: &plan) }
    let usesTokens = chance.percent(60)
    if usesTokens { plan.steps.append(Step(time: 0, action: .signIn(user: 1))) }
    let hasTwin = usesTokens && chance.percent(20)
    if hasTwin { plan.steps.append(Step(time: moment(), action: .openTwin)) }
    for _ in 0..<chance.number(1...4) { addCalls(to: &plan, usesTokens, hasTwin: hasTwin) }
    if !plan.resources.isEmpty, chance.percent(30) { addWrite(to: &plan, usesTokens) }
    for _ in 0..<chance.pick(0, 0, 1, 2) { addTrouble(to: &plan, usesTokens) }
    plan.steps.sort { $0.time < $1.time }
  }

  private mutating func client() -> ClientPlan {
    ClientPlan(
      attempts: chance.pick(1, 2, 3, 4), backoff: isInstant ? 0 : chance.pick(0, 0, 0.02, 0.5),
      timeout: chance.pick(2, 5, 10),
      // A renewal has the deadline of the client too, and a shorter one could lose a token whose answer is under way.
      deadline: chance.percent(15) ? chance.pick(8, 20) : nil, waitsForNetwork: chance.percent(40),
      connectionDelay: isInstant ? 0 : chance.pick(0, 0.02))
  }

  private mutating func addLayers(to plan: inout Plan) {
    plan.layers.hasCookies = chance.percent(25)
    plan.layers.hasCache = chance.percent(40)
    plan.layers.coalesces = chance.percent(40)
    if chance.percent(35) {
      plan.layers.breaker = CircuitBreakerPolicy(
        failureRatio: chance.pick(0.5, 1), minimumVolume: chance.number(1...4), window: chance.pick(1, 10),
        openDuration: chance.pick(0.2, 2))
    }
    if chance.percent(35) {
      let rate = RequestLimits.Rate(requestsPerSecond: chance.pick(1, 10), burst: chance.number(1...3))
      plan.layers.limits = RequestLimits(
        concurrentRequestsPerHost: chance.pick(1, 2, nil), rate: chance.percent(40) ? rate : nil,
        serverWaitLimit: chance.pick(0.5, 60))
    }
    for number in 0..<3 {
      var resource = ResourcePlan()
      resource.maxAge = chance.pick(nil, 0, 2, 60, 60)
      resource.staleWhileRevalidate = chance.pick(0, 0, 5)
      resource.hasTag = chance.percent(60)
      resource.redirect = number < 2 && chance.percent(25) ? number + 1 : nil
      resource.script = []
      for _ in 0..<chance.number(1...3) {
        resource.script.append(
          chance.pick(
            .status(200, after: delay()), .status(200, after: delay()), .status(200, after: delay()),
            .status(503, after: delay()), .silence, .breaks(after: delay())))
      }
      plan.resources.append(resource)
    }
  }

  private mutating func account() -> AccountPlan {
    var account = AccountPlan()
    account.lifetime = chance.pick(3, 3, 20, 3600)
    account.leeway = chance.pick(0, 1, 60)
    account.delay = isInstant ? 0 : chance.pick(0, 0.05, 0.6)
    for _ in 0..<chance.pick(0, 0, 0, 1, 2) {
      account.answers.append(
        chance.pick(.good, .lost, .down, .silent, .scopeArray, .numberedID, .keepsRefreshToken, .emptyRefreshToken))
    }
    return account
  }

  /// A moment: mostly one of few, so that steps meet.
  private mutating func moment() -> Double {
    chance.pick(
      Double(chance.number(0...3)), Double(chance.number(0...200)) / 10, Double(chance.number(0...20)) / 100)
  }

  private mutating func addCalls(to plan: inout Plan, _ usesTokens: Bool, hasTwin: Bool) {
    let time = moment()
    let script = script()
    for _ in 0..<chance.pick(1, 1, 2, 5) {
      callCount += 1
      var call = CallPlan(number: callCount)
      call.process = hasTwin && chance.percent(50) ? 1 : 0
      call.method = chance.pick("GET", "GET", "POST", "PUT")
      if !plan.resources.isEmpty, chance.percent(60) {
        call.resource = chance.percent(75) ? resource : chance.below(plan.resources.count)
        call.method = chance.pick("GET", "GET", "GET", "PUT")
      }
      call.script = chance.percent(50) ? script : self.script()
      if call.method == "GET", call.resource == nil, chance.percent(25) {
        call.form = chance.pick(.lines, .events, .download)
        call.script = partsScript()
      }
      call.priority = chance.pick(.normal, .normal, .low, .high)
      call.needsToken = usesTokens && chance.percent(85)
      call.isAwaited = chance.percent(30)
      call.timeout = chance.percent(20) ? chance.pick(0.5, 1, 4) : nil
      call.deadline = chance.percent(10) ? chance.pick(0, 0.3, 2) : nil
      // Each connection of an event stream has these times, so short ones would lead to connections without end.
      if call.form == .events { (call.timeout, call.deadline) = (10, 3600) }
      let start = chance.percent(50) ? time : moment()
      plan.steps.append(Step(time: start, action: .call(call)))
      if chance.percent(12) {
        plan.steps.append(Step(time: start + delay(), action: .cancel(call: call.number)))
      }
    }
  }

  /// A resource that changes while a process reads it, and reads it again.
  private mutating func addWrite(to plan: inout Plan, _ usesTokens: Bool) {
    var time = moment()
    for method in ["GET", "PUT", "GET"] {
      callCount += 1
      let call = CallPlan(
        number: callCount, method: method, resource: resource, needsToken: usesTokens, isAwaited: chance.percent(30))
      plan.steps.append(Step(time: time, action: .call(call)))
      time += chance.pick(0.001, 0.2, 1, 2)
    }
  }

  private mutating func delay() -> Double { isInstant ? 0 : chance.pick(0, 0, 0.01, 0.1, 0.5, 1.5) }

  private mutating func script() -> [CallPlan.Answer] {
    var script: [CallPlan.Answer] = []
    // Few kinds of trouble, so that a kind comes again after another one.
    let troubles = [trouble(), trouble()]
    while script.count < 5, chance.percent(60) { script.append(troubles[chance.below(2)]) }
    if chance.percent(85) || script.isEmpty { script.append(.status(chance.pick(200, 200, 204), after: delay())) }
    return script
  }

  /// The answers to a call that reads its response while it arrives.
  private mutating func partsScript() -> [CallPlan.Answer] {
    var script: [CallPlan.Answer] = []
    while script.count < 3, chance.percent(60) {
      script.append(
        chance.percent(60)
          ? .parts(chance.number(0...7), gap: delay(), breaks: chance.percent(80)) : trouble())
    }
    return script + [.parts(8, gap: delay(), breaks: false), .status(204, after: 0)]
  }

  private mutating func trouble() -> CallPlan.Answer {
    switch chance.below(13) {
    case 0...2: .status(chance.pick(503, 500, 404), after: delay())
    case 3: .status(chance.pick(503, 429), after: delay(), retryAfter: chance.pick(0, 1))
    case 4: .status(401, after: delay())
    case 5...6: .redirect(chance.pick(301, 302, 303, 307, 308), toOther: chance.percent(30), after: delay())
    case 7: .silence
    case 8: .breaks(after: delay())
    case 9...10: .stale
    case 11: .refusesConnection
    default: .cut(after: delay())
    }
  }

  private mutating func addTrouble(to plan: inout Plan, _ usesTokens: Bool) {
    let time = moment()
    switch chance.below(usesTokens ? 9 : 5) {
    case 0: plan.steps.append(Step(time: time, action: .swapService))
    case 1: plan.steps.append(Step(time: time, action: .shutDown(within: chance.pick(0, 0.5, 5))))
    case 2: plan.steps.append(Step(time: time, action: .releaseService))
    case 3, 4: plan.steps.append(Step(time: time, action: .loseNetwork(seconds: chance.pick(delay(), 5))))
    case 5: plan.steps.append(Step(time: time, action: .revoke(user: 1, wholeSession: chance.percent(30))))
    default:
      // Processes that share a storage are one user's.
      let isShared = plan.contains { if case .openTwin = $0 { true } else { false } }
      // Each sign-in has a user of its own: the history may note it after the first request with its token.
      let former = plan.steps.filter { if case .signOut = $0.action { true } else { false } }
      let next = chance.percent(60) && !isShared ? 2 + former.count : nil
      plan.steps.append(Step(time: time, action: .signOut(process: 0, next: next)))
    }
  }
}
