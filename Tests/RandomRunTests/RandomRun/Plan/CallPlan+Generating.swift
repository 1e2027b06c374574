extension PlanGenerator {
  /// Generates a call of any kind.
  mutating func call(client: Int) -> CallPlan {
    var call = CallPlan(number: makeCallNumber(), client: client)
    let isToken = plan.owners[plan.clients[client].owner].kind == .tokens
    call.form = chance.weighted(
      [
        (5, .completion), (4, .awaited), (isToken ? 2 : 0, .streamed), (isToken ? 2 : 0, .streamAwaited),
        (isToken ? 3 : 0, .download), (isToken ? 1 : 0, .pages),
      ], or: .completion)
    if isToken, isAtHome(client), chance.percent(70) {
      call.authorization = chance.pick([.apiToken, .header, .bearer, .signer], or: .bearer)
    } else if isToken, chance.percent(20) {
      call.authorization = .basic
    }
    if call.form == .completion || call.form == .awaited, chance.percent(50) { addBody(to: &call) }
    call.hasVisitor = isToken && call.authorization == .none && chance.percent(30)
    call.hasSecretInQuery = isToken && chance.percent(15)
    if chance.percent(30) { call.timeout = Double(chance.number(3...20)) / 10 }
    if chance.percent(10) { call.deadline = Double(chance.number(5...25)) / 10 }
    call.script = script(depth: 0)
    return call.fitting(plan.clients[client])
  }

  mutating func addBody(to call: inout CallPlan) {
    call.method = chance.weighted([(6, "POST"), (2, "PUT"), (1, "PATCH")], or: "POST")
    call.body = chance.pick(CallPlan.Body.allCases, or: .json)
    call.isDeclaredIdempotent = plan.owners[plan.clients[call.client].owner].kind == .tokens && chance.percent(15)
  }

  /// Generates the responses to the requests of a call. Often some of them fail before a good one.
  mutating func script(depth: Int) -> [Behaviour] {
    var script: [Behaviour] = []
    while script.count < 3, chance.percent(45) { script.append(trouble()) }
    if depth < 2, chance.percent(30) {
      script.append(redirect(depth: depth))
    } else if chance.percent(85) || script.isEmpty {
      script.append(good())
    }
    return script
  }

  mutating func redirect(depth: Int) -> Behaviour {
    .redirect(
      chance.pick([301, 302, 303, 307, 308], or: 302), origin: chance.below(plan.originCount),
      then: self.script(depth: depth + 1),
      body: chance.weighted([(20, .none), (1, .stalls), (1, .endless)], or: .none))
  }

  mutating func good() -> Behaviour {
    switch chance.below(20) {
    case 0...8:
      .lines(
        chance.pick([1, 1, 3, 40], or: 1),
        framing: chance.pick([.length, .chunked, .chunkedWithTrailers, .untilClose], or: .length),
        coding: chance.weighted([(6, .none), (1, .gzip), (1, .deflate), (1, .unknown)], or: .none))
    case 9...11: .late(milliseconds: chance.number(5...200), lines: chance.number(1...3))
    case 12...13: .drip(lines: chance.number(2...6), milliseconds: chance.number(5...60))
    case 14: .push(chance.pick([.response, .timeoutThenClose], or: .response))
    case 15: .swallowsNext
    case 16: .closesOnNext
    case 17: .closesSoon
    default: .lines(1)
    }
  }

  mutating func trouble() -> Behaviour {
    switch chance.below(40) {
    case 0...6: .status(401, retryAfter: nil)
    case 7...11: .status(503, retryAfter: chance.pick([nil, nil, 0, 1], or: nil))
    case 12...13: .status(408, retryAfter: nil)
    case 14: .status(429, retryAfter: chance.pick([0, 1], or: 0))
    case 15: .status(chance.pick([400, 404, 500, 502, 504], or: 500), retryAfter: nil)
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

extension CallPlan {
  /// A copy without pushes if the client has a cache, because the servers can't see background requests of a cache.
  func fitting(_ client: ClientPlan) -> CallPlan {
    guard client.policies.cache != .none else { return self }
    var call = self
    call.script = script.map(\.withoutPush)
    return call
  }
}

extension Behaviour {
  fileprivate var withoutPush: Behaviour {
    switch self {
    case .push: .closesSoon
    case .redirect(let status, let origin, let next, let body):
      .redirect(status, origin: origin, then: next.map(\.withoutPush), body: body)
    default: self
    }
  }
}
