extension Plan {
  /// Generates the plan of a seed, which is always the same.
  ///
  /// - Parameter length: the number of stories. Each combines events that may coincide in an app.
  package init(seed: UInt64, length: Int = 12) {
    var generator = PlanGenerator(chance: Chance(seed: seed))
    for _ in 0..<length { generator.addStory() }
    self.init(seed: seed, clients: generator.clients, steps: generator.steps)
  }
}

private struct PlanGenerator {
  private var chance: Chance
  private(set) var clients: [ClientPlan] = []
  private(set) var steps: [Step] = []
  private var lastCall = 0

  init(chance: Chance) {
    self.chance = chance
    for _ in 0..<Plan.originCount {
      clients.append(
        ClientPlan(
          attempts: self.chance.pick(1, 1, 1, 2, 4), hasCache: self.chance.percent(40),
          deadline: self.chance.pick(nil, nil, nil, nil, 1.5), timeout: self.chance.pick(0.4, 1, 2)))
    }
  }

  mutating func addStory() {
    switch chance.below(10) {
    case 0...5: addCalls()
    case 6...8: addKeptConnections()
    default: addBomb()
    }
    if chance.percent(40) { steps.append(.pause(milliseconds: chance.number(1...40))) }
    if chance.percent(25) { steps.append(.settle) }
  }

  /// Some calls at the same time, one of which may be cancelled.
  private mutating func addCalls() {
    for _ in 0..<chance.number(1...5) {
      let call = call()
      steps.append(.call(call))
      guard chance.percent(20) else { continue }
      if chance.percent(60) {
        steps += [.waitForServer(call: call.number), .pause(milliseconds: chance.number(0...50))]
      }
      steps.append(.cancel(call: call.number))
    }
  }

  /// Connections that are kept and then turn out to be closed.
  private mutating func addKeptConnections() {
    let client = chance.below(clients.count)
    for _ in 0..<chance.number(1...3) {
      var first = call(client)
      first.script = [chance.percent(40) ? .push(endsConnection: chance.percent(50)) : ending()]
      steps.append(.call(first))
    }
    steps += [.settle, .pause(milliseconds: chance.number(15...40))]
    for _ in 0..<chance.number(1...3) {
      var next = call(client)
      if chance.percent(60) { next.script = [.good()] }
      steps.append(.call(next))
    }
  }

  private mutating func addBomb() {
    var call = call()
    (call.form, call.method, call.body, call.timeout, call.deadline) = (.download, "GET", .none, 20, 60)
    call.script = [.decompressionBomb(megabytes: 80)]
    steps.append(.call(call))
  }

  /// Generates a call of any kind.
  private mutating func call(_ client: Int? = nil) -> CallPlan {
    lastCall += 1
    var call = CallPlan(number: lastCall, client: client ?? chance.below(clients.count))
    call.form = CallPlan.Form.allCases[chance.below(CallPlan.Form.allCases.count)]
    call.hasToken = chance.percent(50)
    if call.form == .completion || call.form == .awaited, chance.percent(60) {
      call.method = chance.pick("POST", "POST", "POST", "PUT", "PATCH")
      call.body = CallPlan.Body.allCases[chance.below(CallPlan.Body.allCases.count)]
    }
    if chance.percent(30) { call.timeout = Double(chance.number(3...20)) / 10 }
    if chance.percent(10) { call.deadline = Double(chance.number(5...25)) / 10 }
    call.lineCount = chance.pick(1, 1, 3, 40, 200)
    // Often some responses are bad before a good one.
    call.script = []
    while call.script.count < 4, chance.percent(55) {
      call.script.append(chance.percent(30) ? redirect() : trouble())
    }
    call.script.append(chance.percent(85) ? good() : trouble())
    return call
  }

  private mutating func redirect() -> Behaviour {
    .redirect(
      chance.pick(301, 302, 303, 307, 308), origin: chance.below(Plan.originCount), isEndless: chance.percent(5))
  }

  private mutating func ending() -> Behaviour { chance.pick(.swallowsNext, .closesOnNext, .closesSoon) }

  private mutating func good() -> Behaviour {
    switch chance.below(10) {
    case 0...5:
      .good(chance.pick(.length, .length, .chunked, .chunkedWithTrailers, .untilClose, .gzip, .deflate, .unknownCoding))
    case 6...7: .late(milliseconds: chance.number(5...200))
    case 8: .drip(milliseconds: chance.number(5...60))
    default: ending()
    }
  }

  private mutating func trouble() -> Behaviour {
    switch chance.below(40) {
    case 0...13: .status(chance.pick(400, 401, 404, 408, 500, 503))
    case 14...18: .reset
    case 19...21: .close
    case 22...23: .silence
    case 24...32: .cut(isReset: chance.percent(50))
    case 33: .cutGzip
    case 34: .unaskedSwitch
    default: .late(milliseconds: chance.number(100...1500))
    }
  }
}
