extension PlanGenerator {
  mutating func addStory() {
    switch chance.below(26) {
    case 0...4: addCalls()
    case 5...7: addSignOutWithinCall()
    case 8...9: addStaleConnections()
    case 10...11: addSharedCalls()
    case 12...13: addRedirectedBody()
    case 14...15: addEvents()
    case 16: chance.percent(50) ? addBrokenDownload() : addKeptDownloads()
    case 17: addSwap()
    case 18: addNetworkLoss()
    case 19: addRenewal()
    case 20: addCrowdedHead()
    case 21: addRefresh()
    case 22: chance.percent(50) ? addReplacedSource() : addClosedConnectionsBehindBreaker()
    case 23...24: addChangedUser()
    default: addLargeResponse()
    }
    if chance.percent(40) { pause(1...40) }
    if chance.percent(25) { add(.settle) }
  }

  /// Some calls at the same time, one of which may be cancelled.
  private mutating func addCalls() {
    for _ in 0..<chance.number(1...5) {
      let call = call(client: client())
      add(.call(call))
      guard chance.percent(20) else { continue }
      add(
        .cancel(call: call.number),
        at: chance.pick(
          [.now, .received(call: call.number, count: 1, milliseconds: chance.number(0...50))], or: .now))
    }
  }

  /// The identity changes while a call waits.
  private mutating func addSignOutWithinCall() {
    let client = clientAtHome()
    var call = call(client: client)
    call.script.insert(
      chance.pick(
        [
          .status(503, retryAfter: nil), .late(milliseconds: 120, lines: 2), .drip(lines: 6, milliseconds: 30),
          .status(401, retryAfter: nil), .cut(lines: 20, isReset: false),
        ], or: .silence), at: 0)
    add(.call(call))
    signOut(client, at: .received(call: call.number, count: chance.number(1...2), milliseconds: chance.number(0...90)))
    if chance.percent(60) { add(.call(self.call(client: client))) }
  }

  /// Connections that are kept and then turn out to be closed.
  private mutating func addStaleConnections() {
    let client = client()
    for _ in 0..<chance.number(1...3) {
      var first = self.call(client: client)
      first.script = [
        chance.pick(
          [.push(.response), .push(.timeoutThenClose), .swallowsNext, .closesOnNext, .closesSoon], or: .closesSoon)
      ]
      if case .push = first.script[0] { add(.settle) }
      add(.call(first.fitting(plan.clients[client])))
    }
    add(.settle)
    pause(15...40)
    for _ in 0..<chance.number(1...3) {
      var next = self.call(client: client)
      if chance.percent(60) { next.script = [.lines(1)] }
      add(.call(next))
    }
  }

  /// As many closed connections as failures that would open a circuit. The client is the story's own, so that no other
  /// story fails the host.
  private mutating func addClosedConnectionsBehindBreaker() {
    guard let owner = plan.owners.indices.first(where: { plan.owners[$0].kind == .tokens }) else { return addCalls() }
    plan.clients.append(ClientPlan(owner: owner, origin: 2, policies: Policies(hasBreaker: true)))
    for _ in 0..<6 {
      let client = plan.clients.count - 1
      add(.call(CallPlan(number: makeCallNumber(), client: client, script: [.closesOnNext])))
      add(.settle)
    }
  }

  /// Equal requests of one identity and the next, which may share a transfer or a cache entry.
  private mutating func addSharedCalls() {
    let client = clientAtHome()
    let resource = chance.below(plan.resources.count)
    let authorization: CallPlan.Authorization =
      plan.owners[plan.clients[client].owner].kind == .tokens && chance.percent(70) ? .bearer : .none
    for index in 0..<chance.number(2...8) {
      var call = CallPlan(number: makeCallNumber(), client: client, target: .shared(resource))
      call.form = chance.percent(50) ? .completion : .awaited
      call.authorization = authorization
      if authorization == .none, chance.percent(40), plan.owners[plan.clients[client].owner].kind == .tokens {
        call.host = chance.pick(["virtual-a.example", "virtual-b.example"], or: "virtual-a.example")
      } else if authorization == .none {
        call.hasVisitor = plan.owners[plan.clients[client].owner].kind == .tokens && chance.percent(50)
      }
      if chance.percent(40) { call.timeout = Double(chance.pick([3, 20], or: 20)) / 10 }
      add(.call(call))
      // The next call may find the response in the cache.
      if call.hasVisitor, chance.percent(60) { add(.settle) }
      if chance.percent(25) { add(.cancel(call: call.number)) }
      if chance.percent(35) { pause(1...150) }
      if index > 1, chance.percent(20) { signOut(client) }
    }
  }

  /// A body that may be sent only once or has a secret, and a redirect to a server that fails.
  private mutating func addRedirectedBody() {
    var call = call(client: client())
    call.form = chance.percent(50) ? .completion : .awaited
    addBody(to: &call)
    let next: [Behaviour] = [chance.percent(60) ? trouble() : .closesOnNext, good()]
    call.script = [
      .redirect(
        chance.pick([301, 302, 303, 307, 308], or: 303), origin: chance.below(plan.originCount), then: next,
        body: .none)
    ]
    if chance.percent(30) { call.script.insert(trouble(), at: 0) }
    if chance.percent(40) {
      // A kept connection that closes under the request after the redirect.
      var first = self.call(client: call.client)
      first.script = [chance.pick([.closesOnNext, .closesSoon, .swallowsNext], or: .closesOnNext)]
      add(.call(first))
      add(.settle)
    }
    add(.call(call))
  }

  private mutating func addEvents() {
    let client = clientAtHome(of: .tokens)
    guard plan.owners[plan.clients[client].owner].kind == .tokens else { return addCalls() }
    var call = CallPlan(number: makeCallNumber(), client: client, form: .events)
    call.authorization = chance.percent(80) ? .bearer : .none
    let retry: String? = chance.weighted([(6, nil), (2, "0"), (1, "2147483647"), (1, "50")], or: nil)
    let count = chance.number(1...3)
    call.script = (0..<count).map { _ in .events(chance.number(1...3), retry: retry, hasBadID: chance.percent(30)) }
    if chance.percent(20) { call.script.append(.portal) }
    if chance.percent(60) { call.script.append(.status(204, retryAfter: nil)) }
    add(.call(call))
    if chance.percent(60) {
      signOut(client, at: .received(call: call.number, count: count, milliseconds: chance.number(0...60)))
    }
    add(.cancel(call: call.number), at: .received(call: call.number, count: 2000, milliseconds: 0))
  }

  /// A download whose connection breaks, and an identity that changes before the download resumes.
  private mutating func addBrokenDownload() {
    let client = clientAtHome(of: .tokens)
    guard plan.owners[plan.clients[client].owner].kind == .tokens else { return addCalls() }
    var call = call(client: client)
    call.form = .download
    call.method = "GET"
    call.body = .none
    let count = chance.number(30...200)
    call.script = [.cut(lines: count, isReset: chance.percent(50)), .lines(count)]
    if chance.percent(40) { call.script.insert(.cut(lines: count, isReset: false), at: 1) }
    let isDuring = chance.percent(50)
    if isDuring { signOut(client, during: .failed, of: call) }
    add(.call(call))
    if !isDuring, chance.percent(60) {
      signOut(client, at: .received(call: call.number, count: 1, milliseconds: chance.number(0...60)))
    }
  }

  /// Kept downloads to one file, which break and pause while others begin and the identity changes.
  private mutating func addKeptDownloads() {
    let client = clientAtHome(of: .tokens)
    guard plan.owners[plan.clients[client].owner].kind == .tokens else { return addCalls() }
    var call = CallPlan(number: makeCallNumber(), client: client, form: .download, authorization: .bearer)
    call.keptFile = call.number
    for _ in 0..<chance.number(2...4) {
      let count = chance.number(50...200)
      call.script = chance.percent(70) ? [.cut(lines: count, isReset: false), .lines(count)] : [.lines(count)]
      add(.call(call))
      let moment = Step.Moment.received(call: call.number, count: 1, milliseconds: chance.number(0...60))
      if chance.percent(40) { signOut(client, at: moment) } else { add(.pause(milliseconds: 1), at: moment) }
      call.number = makeCallNumber()
    }
  }

  /// A stale response that the cache delivers, and an identity that changes before the cache refreshes it.
  private mutating func addRefresh() {
    let caching = plan.clients.indices.filter { index in
      isAtHome(index) && plan.clients[index].policies.cache != .none
        && plan.owners[plan.clients[index].owner].kind == .tokens
    }
    guard let client = caching.first else { return addSharedCalls() }
    plan.resources.append(
      ResourcePlan(
        lines: 2, cacheControl: "max-age=0, stale-while-revalidate=60", hasTag: chance.percent(50), delay: 0,
        trouble: nil))
    var call = CallPlan(number: makeCallNumber(), client: client, target: .shared(plan.resources.count - 1))
    call.authorization = .bearer
    add(.call(call))
    add(.settle)
    signOut(client, during: .cached, of: call)
    call.number = makeCallNumber()
    add(.call(call))
  }

  /// Calls that a sign-out ends. The completion of one of them signs the next user in.
  private mutating func addChangedUser() {
    let client = clientAtHome(of: .tokens)
    let owner = plan.clients[client].owner
    guard plan.owners[owner].kind == .tokens else { return addCalls() }
    for _ in 0..<chance.number(2...8) {
      var call = call(client: client)
      (call.form, call.authorization) = (.completion, .bearer)
      // Some calls wait for another token, and some for their next attempt.
      let trouble: [Behaviour] = [.status(401, retryAfter: nil), .status(503, retryAfter: nil), .silence]
      call.script.insert(chance.pick(trouble, or: .silence), at: 0)
      add(.call(call))
    }
    pause(1...60)
    let first = CallPlan(number: makeCallNumber(), client: client, authorization: .bearer)
    add(.changeUser(owner: owner, next: makeIdentity(), first: first))
  }

  /// A `Server` that follows another source, and a call much later.
  private mutating func addReplacedSource() {
    let client = clientAtHome(of: .server)
    let owner = plan.clients[client].owner
    guard plan.owners[owner].kind == .server else { return addRefresh() }
    add(.call(call(client: client)))
    add(.replaceSource(owner: owner, stray: makeIdentity(), next: makeIdentity()))
    pause(500...700)
    add(.call(call(client: client)))
  }

  private mutating func addSwap() {
    let client = clientAtHome(of: .tokens)
    let first = call(client: client)
    add(.call(first))
    add(.call(call(client: client)))
    add(
      .swapService(client: client),
      at: .received(call: first.number, count: 1, milliseconds: chance.number(0...60)))
    add(.call(call(client: client)))
  }

  private mutating func addNetworkLoss() {
    let client = client()
    add(.setNetwork(client: client, isConnected: false))
    add(.call(call(client: client)))
    pause(10...200)
    add(.setNetwork(client: client, isConnected: true))
    add(.call(call(client: client)))
  }

  /// Many calls that wait for one renewal.
  private mutating func addRenewal() {
    let client = clientAtHome(of: .tokens)
    for _ in 0..<chance.number(2...6) {
      var call = call(client: client)
      if call.needsToken { call.script.insert(.status(401, retryAfter: nil), at: 0) }
      add(.call(call))
    }
    if chance.percent(40) {
      pause(1...60)
      signOut(client)
    }
  }

  private mutating func addLargeResponse() {
    var call = call(client: clientAtHome(of: .tokens))
    call.method = "GET"
    call.body = .none
    let isToken = plan.owners[plan.clients[call.client].owner].kind == .tokens
    if isToken, chance.percent(25) {
      call.form = .download
      call.timeout = 20
      call.deadline = nil
      call.script = [.zeros(megabytes: 80)]
    } else {
      call.script = [.lines(400, coding: chance.pick([.none, .gzip], or: .none))]
    }
    add(.call(call))
  }

  /// A head that takes long to parse, and another call whose response arrives meanwhile.
  private mutating func addCrowdedHead() {
    let caching = plan.clients.indices.filter { plan.clients[$0].policies.cache != .none }
    let client = chance.pick(caching, or: client())
    var beside = CallPlan(number: makeCallNumber(), client: client, timeout: 1.5, deadline: 2)
    beside.script = [.late(milliseconds: 250, lines: 1)]
    add(.settle)
    add(.call(beside))
    var crowded = CallPlan(number: makeCallNumber(), client: client, timeout: 2)
    crowded.script = [chance.pick([.manyFields(13_000), .hardToRedact], or: .hardToRedact)]
    add(.call(crowded), at: .received(call: beside.number, count: 1, milliseconds: 1))
  }
}
