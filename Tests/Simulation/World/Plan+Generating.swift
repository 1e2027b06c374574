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
  /// Whether everything in the plan happens at once. Then most work can meet other work.
  private var isInstant = false
  private var topic = Topic.any
  /// The resource that most calls are for.
  private lazy var resource = chance.below(3)

  /// Most plans have everything. The others have downloads alone, or one layer and the calls that concern it.
  private enum Topic { case any, files, breaker, crowd, offline, signOut }

  init(seed: UInt64) { chance = Chance(seed: seed) }

  mutating func fill(_ plan: inout Plan) {
    isInstant = chance.percent(30)
    topic = chance.percent(80) ? .any : chance.pick(.files, .files, .breaker, .crowd, .offline, .signOut)
    plan.switchRate = chance.pick(0, 0.02, 0.1, 0.3)
    plan.prefersRare = chance.percent(30)
    plan.stallRate = chance.percent(topic == .files ? 60 : 30) ? 0.3 : 0
    plan.client = client()
    plan.account = account()
    plan.file = file()
    if topic == .any, chance.percent(60) { addLayers(to: &plan) }
    let usesTokens = topic == .offline || topic == .signOut || topic == .any && chance.percent(60)
    if usesTokens { plan.steps.append(Step(time: 0, action: .signIn(user: 1))) }
    switch topic {
    case .any, .files: break
    case .breaker: addBreaker(to: &plan)
    case .crowd: addCrowd(to: &plan)
    case .offline: addOfflineReads(to: &plan)
    case .signOut: addSignOut(to: &plan)
    }
    let hasTwin = topic == .any && usesTokens && chance.percent(20)
    // Both processes would get tokens after a sign-out of one.
    if hasTwin { plan.account.grantsItself = false }
    if hasTwin { plan.steps.append(Step(time: moment(), action: .openTwin)) }
    if topic == .any || topic == .files || topic == .breaker {
      for _ in 0..<chance.number(1...4) { addCalls(to: &plan, usesTokens, hasTwin: hasTwin) }
    }
    if topic == .any, !plan.resources.isEmpty, chance.percent(30) { addWrite(to: &plan, usesTokens) }
    for _ in 0..<(topic == .any || topic == .crowd ? chance.pick(0, 0, 1, 2) : 0) { addTrouble(to: &plan, usesTokens) }
    if plan.client.hasDisk, !hasTwin, topic != .offline { addKill(to: &plan, usesTokens) }
    if plan.client.acceptsAll {
      plan.steps.removeAll { if case .call(let call) = $0.action { call.form != .download } else { false } }
    }
    if chance.percent(8) { removeFaults(from: &plan) }
    plan.steps.sort { $0.time < $1.time }
  }

  private mutating func client() -> ClientPlan {
    ClientPlan(
      attempts: chance.pick(1, 2, 3, 4), backoff: isInstant ? 0 : chance.pick(0, 0, 0.02, 0.5),
      timeout: chance.pick(2, 5, 10),
      // A renewal has the deadline of the client too, and a shorter one could lose a token whose answer is under way.
      deadline: chance.percent(15) ? chance.pick(8, 20) : nil, waitsForNetwork: chance.percent(40),
      connectionDelay: isInstant ? 0 : chance.pick(0, 0.02), wrapper: chance.pick(nil, nil, nil, .both, .one),
      hasDisk: chance.percent(20), acceptsAll: chance.percent(5), isMonitored: chance.percent(20))
  }

  private mutating func addLayers(to plan: inout Plan) {
    plan.layers.hasCookies = chance.percent(25)
    plan.layers.hasCache = chance.percent(40)
    plan.layers.coalesces = chance.percent(40)
    plan.layers.hasOwn = chance.percent(25)
    plan.layers.order = chance.percent(50) ? chance.number(1...1000) : 0
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
      resource.staleIfError = chance.pick(0, 0, 100)
      resource.hasTag = chance.percent(60)
      resource.redirect = number < 2 && chance.percent(40) ? number + 1 : nil
      resource.script = []
      for _ in 0..<chance.number(1...3) {
        resource.script.append(
          chance.pick(
            .status(200, after: delay()), .status(200, after: delay()), .status(200, after: delay()),
            .status(503, after: delay()), .status(200, after: 30), .breaks(after: delay())))
      }
      plan.resources.append(resource)
    }
  }

  /// A circuit that opens at once, and probes that take longer than it is open.
  private mutating func addBreaker(to plan: inout Plan) {
    plan.layers = LayersPlan(
      breaker: CircuitBreakerPolicy(failureRatio: 1, minimumVolume: 1, window: 10, openDuration: 0.2))
    plan.switchRate = 0
    let open = chance.pick(0.1, 1.0)
    for (time, status, delay) in [(0, 503, 0), (0.4, 200, open), (0.6 + open, 200, 0.1), (0.6 + open, 200, 0.1)] {
      plan.add(.call(CallPlan(number: plan.nextCall, script: [.status(status, after: delay)])), at: time)
    }
  }

  /// Calls of all priorities that wait for one place.
  private mutating func addCrowd(to plan: inout Plan) {
    plan.layers.coalesces = chance.percent(40)
    plan.layers.limits = RequestLimits(concurrentRequestsPerHost: chance.pick(1, 1, 2), serverWaitLimit: 60)
    plan.resources = [ResourcePlan(script: [.status(200, after: delay())])]
    if chance.percent(50) { (plan.switchRate, plan.stallRate) = (0, 0) }
    for _ in 0..<chance.pick(5, 10, 40) {
      var call = CallPlan(number: plan.nextCall, script: [.status(200, after: delay())])
      call.resource = plan.layers.coalesces ? chance.pick(nil, nil, 0) : nil
      call.priority = chance.pick(.low, .normal, .high)
      call.isAwaited = chance.percent(30)
      let time = chance.pick(0, 0, 0, 0.01, 0.1)
      plan.add(.call(call), at: time)
      if chance.percent(20) { plan.add(.cancel(call: call.number), at: time + delay()) }
    }
  }

  private mutating func account() -> AccountPlan {
    var account = AccountPlan()
    account.lifetime = chance.pick(3, 3, 20, 3600)
    account.leeway = chance.pick(0, 1, 60)
    account.grantsItself = chance.percent(20)
    if account.grantsItself, chance.percent(30) { account.answers = chance.pick([.refused], [.good, .refused]) }
    account.delay = isInstant ? 0 : chance.pick(0, 0.05, 0.6)
    for _ in 0..<chance.pick(0, 0, 0, 1, 2) {
      account.answers.append(
        chance.pick(
          .good, .lost, .late, .down, .silent, .scopeArray, .numberedID, .keepsRefreshToken, .emptyRefreshToken))
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
      var call = CallPlan(number: plan.nextCall)
      call.process = hasTwin && chance.percent(50) ? 1 : 0
      call.method = chance.pick("GET", "GET", "POST", "PUT")
      if !plan.resources.isEmpty, chance.percent(60) {
        call.resource = chance.percent(75) ? resource : chance.below(plan.resources.count)
        call.method = chance.pick("GET", "GET", "GET", "PUT")
      }
      call.script = chance.percent(50) ? script : self.script()
      let isForFiles = topic == .files
      if isForFiles { call.method = "GET" }
      if isForFiles || call.method == "GET" && call.resource == nil && chance.percent(25) {
        call.form = isForFiles ? .download : chance.pick(.lines, .events, .download)
        call.script = partsScript()
        // A download of which one request brings nothing never ends.
        if call.form == .download { call.script.removeLast() }
        call.keepsFile = call.form == .download && chance.percent(isForFiles ? 30 : 50)
      } else if call.resource == nil, call.process == 0, chance.percent(15) {
        call.form = .server
      }
      if plan.layers.limits != nil, call.form == .response, chance.percent(25) {
        call.script.insert(.status(429, after: delay(), retryAfter: chance.pick(0, 1, 3)), at: 0)
      }
      call.hasProgress = chance.percent(20)
      if call.resource != nil, call.method == "GET" {
        let isOwnPolicy = plan.layers.hasCache && chance.percent(20)
        call.cachePolicy = isOwnPolicy ? chance.pick(.reload, .revalidate, .noStore, .onlyIfCached) : nil
        call.coalesces = chance.percent(10) ? false : nil
      }
      call.hasStream = call.method != "GET" && call.form == .response && chance.percent(15)
      call.isAnsweredByApp = plan.layers.hasOwn && call.resource == nil && !call.keepsFile && chance.percent(30)
      call.priority = chance.pick(.normal, .normal, .low, .high)
      call.needsToken = usesTokens && call.form != .server && chance.percent(85)
      call.isAwaited = chance.percent(30)
      call.timeout = chance.percent(20) ? chance.pick(0.5, 1.5, 4) : nil
      call.deadline = chance.percent(10) ? chance.pick(0, 0.3, 2) : nil
      // Each connection of an event stream has these times, so short ones would lead to connections without end.
      if call.form == .events { (call.timeout, call.deadline) = (10, 3600) }
      let start = chance.percent(50) ? time : moment()
      plan.add(.call(call), at: start)
      if chance.percent(12) { plan.add(.cancel(call: call.number), at: start + delay()) }
    }
  }

  /// A resource that changes while a process reads it, or whose response is removed, and that is read again.
  private mutating func addWrite(to plan: inout Plan, _ usesTokens: Bool) {
    var time = moment()
    // Often the first response comes after that to the write.
    let slow = CallPlan.Answer.status(200, after: delay() + 0.5)
    if chance.percent(50) { plan.resources[resource].script = [slow, .status(200, after: 0)] }
    for method in ["GET", chance.pick("PUT", "PUT", nil), "GET"] {
      var call = CallPlan(number: plan.nextCall, method: method ?? "", resource: resource, needsToken: usesTokens)
      call.isAwaited = chance.percent(30)
      plan.add(method == nil ? .emptyCache : .call(call), at: time)
      time += chance.pick(0.001, 0.2, 1, 2)
    }
  }

  /// A process that reads resources, and reads them again when its servers fail, or when it has no network and perhaps
  /// no good token.
  private mutating func addOfflineReads(to plan: inout Plan) {
    plan.layers = LayersPlan(hasCache: true)
    (plan.stallRate, plan.client.deadline) = (0, nil)
    (plan.account.grantsItself, plan.account.answers) = (false, chance.pick([], [.down]))
    plan.resources = (0..<3).map { _ in ResourcePlan(maxAge: chance.pick(2, 60, 60), hasTag: chance.percent(50)) }
    let isOnline = chance.percent(50)
    if isOnline {
      for index in plan.resources.indices {
        plan.resources[index].staleIfError = chance.pick(4, 100)
        plan.resources[index].script.append(chance.pick(.status(503, after: 0), .breaks(after: 0), .silence))
      }
    } else {
      plan.add(.loseNetwork(seconds: 10), at: 5)
      plan.offlineReads = 1005.1..<1015
    }
    for time in [0.5, 3, 8, 9] where time != 3 || chance.percent(50) {
      let call = CallPlan(
        number: plan.nextCall, resource: resource, needsToken: !isOnline, isAwaited: chance.percent(30))
      plan.add(.call(call), at: time)
    }
  }

  /// Calls whose responses come while their user signs out.
  private mutating func addSignOut(to plan: inout Plan) {
    (plan.switchRate, plan.client.connectionDelay, plan.account.lifetime) = (chance.pick(0.1, 0.3), 0, 3600)
    if chance.percent(40) { plan.layers.limits = RequestLimits(concurrentRequestsPerHost: 2) }
    let delay = delay()
    for _ in 0..<5 {
      let first: CallPlan.Answer = chance.pick(
        .status(200, after: delay), .status(503, after: delay), .stale, .redirect(307, toOther: false, after: delay))
      let call = CallPlan(number: plan.nextCall, needsToken: true, script: [first, .status(200, after: delay)])
      plan.add(.call(call), at: 1)
    }
    plan.add(.signOut(process: 0, next: chance.pick(nil, 2)), at: 1 + delay)
  }

  /// A process that dies, and another one that finds its files.
  private mutating func addKill(to plan: inout Plan, _ usesTokens: Bool) {
    if chance.percent(40) { plan.add(.fillDisk(seconds: chance.pick(0, 1, 300)), at: moment()) }
    guard chance.percent(60) else { return }
    plan.add(.kill(changes: chance.number(0...8)), at: moment())
    // Everything that the killed process has begun is over by then, and no work of it is stopped.
    plan.stallRate = 0
    plan.add(.restart, at: 1000)
    let former = plan.calls
    for call in former.shuffled(using: &chance).prefix(3) where call.form != .events {
      var call = call
      call.number = plan.nextCall
      plan.add(.call(call), at: 1001 + moment())
    }
  }

  /// Leaves calls whose servers answer at once.
  private mutating func removeFaults(from plan: inout Plan) {
    plan.steps = plan.steps.compactMap { step in
      var step = step
      switch step.action {
      case .signIn: return step
      case .call(var call):
        let isRead = call.form == .lines || call.form == .download
        call.script = [isRead ? .parts(8, gap: 0.1, breaks: false) : .status(200, after: 0.1)]
        (call.timeout, call.deadline, call.cachePolicy) = (nil, nil, nil)
        step.time += 1
        step.action = .call(call)
        return call.form == .events || call.keepsFile ? nil : step
      default: return nil
      }
    }
    (plan.isFaultless, plan.stallRate) = (true, 0)
    (plan.client.deadline, plan.client.timeout) = (nil, 60)
    (plan.account.lifetime, plan.account.answers) = (3600, [])
    for index in plan.resources.indices { plan.resources[index].script = [.status(200, after: 0.1)] }
  }

  private mutating func file() -> FilePlan {
    var file = FilePlan()
    file.ranges = chance.pick(.exact, .exact, .none, .shorter, .shifted, .anyVersion, .unasked)
    file.life = chance.pick(1, 2, 3, 100, 100)
    file.isCompressed = chance.percent(20)
    file.script = partsScript().filter { if case .redirect = $0 { false } else { true } }
    return file
  }

  private mutating func delay() -> Double { isInstant ? 0 : chance.pick(0, 0, 0.01, 0.1, 0.5, 1.5) }

  /// A delay that may be longer than any timeout.
  private mutating func stall() -> Double { chance.percent(8) ? 30 : delay() }

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
      let parts = CallPlan.Answer.parts(chance.number(0...7), gap: stall(), breaks: chance.percent(80))
      let trouble = chance.percent(25) ? .redirect(307, toOther: false, after: 0) : trouble()
      script.append(chance.percent(60) ? parts : trouble)
    }
    return script + [.parts(8, gap: delay(), breaks: false), .status(204, after: 0)]
  }

  private mutating func trouble() -> CallPlan.Answer {
    switch chance.below(13) {
    case 0...2: .status(chance.pick(503, 500, 404), after: stall())
    case 3: .status(chance.pick(503, 429), after: delay(), retryAfter: chance.pick(0, 1))
    case 4: .status(401, after: delay())
    case 5...6: .redirect(chance.pick(301, 302, 303, 307, 308), toOther: chance.percent(30), after: stall())
    case 7: .silence
    case 8: .breaks(after: delay())
    case 9...10: .stale
    case 11: .refusesConnection
    default: .cut(after: delay(), retryAfter: chance.pick(nil, 0, 1))
    }
  }

  private mutating func addTrouble(to plan: inout Plan, _ usesTokens: Bool) {
    let time = moment()
    switch chance.below(usesTokens ? 9 : 5) {
    case 0: plan.add(.swapService, at: time)
    case 1: plan.add(.shutDown(within: chance.pick(0, 0.5, 5)), at: time)
    case 2: plan.add(.releaseService, at: time)
    case 3, 4: plan.add(.loseNetwork(seconds: chance.pick(delay(), 5)), at: time)
    case 5: plan.add(.revoke(user: 1, wholeSession: chance.percent(30)), at: time)
    default:
      // Processes that share a storage are one user's.
      let isShared = plan.contains { if case .openTwin = $0 { true } else { false } }
      // Each sign-in has a user of its own: the history may note it after the first request with its token.
      let former = plan.steps.filter { if case .signOut = $0.action { true } else { false } }
      let next = chance.percent(70) && !isShared ? 2 + former.count : nil
      plan.add(.signOut(process: 0, next: next), at: time)
    }
  }
}
