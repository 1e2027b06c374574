extension Plan {
  /// Generates the plan of a seed, which is always the same.
  package init(seed: UInt64, length: Int = 12) {
    var generator = PlanGenerator(seed: seed)
    self = generator.plan(length: length)
  }
}

/// Generates a plan. Its steps come from stories. Each story combines events that may coincide in an app.
private struct PlanGenerator {
  private var chance: Chance
  private var plan: Plan
  private var lastCall = 0

  init(seed: UInt64) {
    chance = Chance(seed: seed)
    plan = Plan(seed: seed, clients: [])
  }

  /// - Parameter length: the number of stories.
  mutating func plan(length: Int) -> Plan {
    for origin in 0..<Plan.originCount { plan.clients.append(client(origin)) }
    for _ in 0..<length {
      addStory()
      if chance.percent(40) { plan.steps.append(.pause(milliseconds: chance.number(1...40))) }
      if chance.percent(25) { plan.steps.append(.settle) }
    }
    return plan
  }

  private mutating func client(_ origin: Int) -> ClientPlan {
    ClientPlan(
      origin: origin, retries: chance.percent(50) ? chance.number(1...3) : 0, hasCache: chance.percent(40),
      deadline: chance.percent(20) ? Double(chance.number(5...30)) / 10 : nil,
      timeout: Double(chance.pick([4, 10, 20], or: 10)) / 10, followsRedirects: chance.percent(95),
      hasName: chance.percent(40))
  }

  // MARK: Stories

  private mutating func addStory() {
    switch chance.below(12) {
    case 0...3: addCalls()
    case 4...5: addStaleConnections()
    case 6...7: addRedirectedBody()
    case 8: addBrokenDownload()
    case 9: addCrowdedHead()
    default: addLargeResponse()
    }
  }

  /// Some calls at the same time, one of which may be cancelled.
  private mutating func addCalls() {
    for _ in 0..<chance.number(1...5) {
      let call = call()
      plan.steps.append(.call(call))
      guard chance.percent(20) else { continue }
      if chance.percent(60) {
        plan.steps += [.waitForServer(call: call.number), .pause(milliseconds: chance.number(0...50))]
      }
      plan.steps.append(.cancel(call: call.number))
    }
  }

  /// Connections that are kept and then turn out to be closed.
  private mutating func addStaleConnections() {
    let client = chance.below(plan.clients.count)
    for _ in 0..<chance.number(1...3) {
      var first = call(client)
      first.script = [ending()]
      // A client couldn't tell the push from its next response.
      if case .push = first.script[0] { plan.steps.append(.settle) }
      plan.steps.append(.call(first))
    }
    plan.steps += [.settle, .pause(milliseconds: chance.number(15...40))]
    for _ in 0..<chance.number(1...3) {
      var next = call(client)
      if chance.percent(60) { next.script = [.lines(1)] }
      plan.steps.append(.call(next))
    }
  }

  private mutating func ending() -> Behaviour {
    chance.pick(
      [.push(.response), .push(.timeoutThenClose), .swallowsNext, .closesOnNext, .closesSoon], or: .closesSoon)
  }

  /// A body that may be sent only once or has a secret, and a redirect to a server that fails.
  private mutating func addRedirectedBody() {
    var call = call()
    call.form = chance.percent(50) ? .completion : .awaited
    addBody(to: &call)
    let next: [Behaviour] = [chance.percent(60) ? trouble() : .closesOnNext, good()]
    call.script = [redirect(to: next)]
    if chance.percent(30) { call.script.insert(trouble(), at: 0) }
    if chance.percent(40) {
      // A kept connection that closes under the request after the redirect.
      var first = self.call(call.client)
      first.script = [chance.pick([.closesOnNext, .closesSoon, .swallowsNext], or: .closesOnNext)]
      plan.steps += [.call(first), .settle]
    }
    plan.steps.append(.call(call))
  }

  private mutating func addBrokenDownload() {
    var call = call()
    (call.form, call.method, call.body) = (.download, "GET", .none)
    let count = chance.number(30...200)
    call.script = [.cut(lines: count, isReset: chance.percent(50)), .lines(count)]
    if chance.percent(40) { call.script.insert(.cut(lines: count, isReset: false), at: 1) }
    plan.steps.append(.call(call))
  }

  private mutating func addLargeResponse() {
    var call = call()
    (call.method, call.body) = ("GET", .none)
    if chance.percent(25) {
      (call.form, call.timeout, call.deadline) = (.download, 20, nil)
      call.script = [.zeros(megabytes: 80)]
    } else {
      call.script = [.lines(400, coding: chance.pick([.none, .gzip], or: .none))]
    }
    plan.steps.append(.call(call))
  }

  /// A head that takes long to parse, and another call whose response arrives meanwhile.
  private mutating func addCrowdedHead() {
    let client = plan.clients.firstIndex(where: \.hasCache) ?? 0
    var beside = CallPlan(number: makeNumber(), client: client, timeout: 1.5, deadline: 2)
    beside.script = [.late(milliseconds: 250, lines: 1)]
    var crowded = CallPlan(number: makeNumber(), client: client, timeout: 2)
    crowded.script = [chance.pick([.manyFields(13_000), .hardToRedact], or: .hardToRedact)]
    plan.steps += [.settle, .call(beside), .waitForServer(call: beside.number), .call(crowded)]
  }

  // MARK: Calls

  private mutating func makeNumber() -> Int {
    lastCall += 1
    return lastCall
  }

  /// Generates a call of any kind.
  private mutating func call(_ client: Int? = nil) -> CallPlan {
    var call = CallPlan(number: makeNumber(), client: client ?? chance.below(plan.clients.count))
    call.form = chance.pick(CallPlan.Form.allCases, or: .completion)
    if chance.percent(60) { call.authorization = chance.pick(CallPlan.Authorization.allCases, or: .bearer) }
    if call.form == .completion || call.form == .awaited, chance.percent(50) { addBody(to: &call) }
    call.hasSecretInQuery = chance.percent(15)
    if chance.percent(30) { call.timeout = Double(chance.number(3...20)) / 10 }
    if chance.percent(10) { call.deadline = Double(chance.number(5...25)) / 10 }
    call.script = script(depth: 0)
    return call
  }

  private mutating func addBody(to call: inout CallPlan) {
    call.method = chance.weighted([(6, "POST"), (2, "PUT"), (1, "PATCH")], or: "POST")
    call.body = chance.pick(CallPlan.Body.allCases, or: .json)
    call.isDeclaredIdempotent = chance.percent(15)
  }

  /// Generates the responses to the requests of a call. Often some of them fail before a good one.
  private mutating func script(depth: Int) -> [Behaviour] {
    var script: [Behaviour] = []
    while script.count < 3, chance.percent(45) { script.append(trouble()) }
    if depth < 2, chance.percent(30) {
      script.append(redirect(to: self.script(depth: depth + 1)))
    } else if chance.percent(85) || script.isEmpty {
      script.append(good())
    }
    return script
  }

  private mutating func redirect(to next: [Behaviour]) -> Behaviour {
    .redirect(
      chance.pick([301, 302, 303, 307, 308], or: 302), origin: chance.below(Plan.originCount), then: next,
      body: chance.weighted([(20, .none), (1, .stalls), (1, .endless)], or: .none))
  }

  private mutating func good() -> Behaviour {
    switch chance.below(20) {
    case 0...8:
      .lines(
        chance.pick([1, 1, 3, 40], or: 1),
        framing: chance.pick([.length, .chunked, .chunkedWithTrailers, .untilClose], or: .length),
        coding: chance.weighted([(6, .none), (1, .gzip), (1, .deflate), (1, .unknown)], or: .none))
    case 9...11: .late(milliseconds: chance.number(5...200), lines: chance.number(1...3))
    case 12...13: .drip(lines: chance.number(2...6), milliseconds: chance.number(5...60))
    case 14...16: ending()
    default: .lines(1)
    }
  }

  private mutating func trouble() -> Behaviour {
    switch chance.below(40) {
    case 0...15: .status(chance.pick([400, 401, 401, 404, 408, 500, 502, 503, 503], or: 500))
    case 16...19: .reset
    case 20...22: .close
    case 23...24: .silence
    case 25...30: .cut(lines: chance.number(2...40), isReset: chance.percent(50))
    case 31: .lines(chance.number(1...20), coding: chance.pick([.cutGzip, .cutDeflate], or: .cutGzip))
    case 32: .status(503, retryAfter: 0)
    case 33: chance.percent(30) ? .endlessTrailers : .cut(lines: 30, isReset: true)
    case 34: chance.percent(30) ? .endlessHead : .reset
    case 35: .unaskedSwitch
    case 36: .manyFields(100)
    default: .late(milliseconds: chance.number(100...1500), lines: 1)
    }
  }
}
