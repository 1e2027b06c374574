extension Plan {
  /// Generates the plan of a seed, which is always the same.
  package init(seed: UInt64, length: Int = 12) {
    var generator = PlanGenerator(seed: seed)
    self = generator.plan(length: length)
  }
}

/// Generates a plan. Its steps come from stories. Each story combines events that may coincide in an app.
struct PlanGenerator {
  var chance: Chance
  var plan: Plan
  private var lastCall = 0
  private var lastIdentity = 100

  init(seed: UInt64) {
    chance = Chance(seed: seed)
    plan = Plan(seed: seed, originCount: 3, owners: [], clients: [], resources: [], steps: [])
  }

  /// - Parameter length: the number of stories.
  mutating func plan(length: Int) -> Plan {
    for home in 0..<2 { addOwner(home: home, kind: chance.percent(75) ? .tokens : .server) }
    plan.resources = (0..<4).map { _ in resource() }
    for _ in 0..<length { addStory() }
    return plan
  }

  private mutating func addOwner(home: Int, kind: OwnerPlan.Kind) {
    let owner = plan.owners.count
    plan.owners.append(
      OwnerPlan(
        kind: kind, home: home, tokenLifetime: chance.pick([20, 600, 600], or: 600),
        renewal: chance.weighted(
          [(5, .works), (2, .isSlow), (1, .failsFirst), (1, .hasNoRefreshToken)], or: .works)))
    plan.clients.append(ClientPlan(owner: owner, origin: home, policies: policies()))
    guard kind == .tokens else { return }
    if chance.percent(50) {
      plan.clients.append(ClientPlan(owner: owner, origin: home, policies: policies()))
    }
    // A service of another origin with the same token manager, whose requests need no token.
    if chance.percent(50) { plan.clients.append(ClientPlan(owner: owner, origin: 2, policies: policies())) }
  }

  private mutating func policies() -> Policies {
    Policies(
      retries: chance.percent(50) ? chance.number(1...3) : 0,
      concurrentRequests: chance.percent(25) ? chance.number(1...4) : nil, hasBreaker: chance.percent(15),
      coalesces: chance.percent(50), cache: chance.weighted([(4, .none), (4, .memory), (1, .disk)], or: .none),
      waitsForNetwork: chance.percent(30), deadline: chance.percent(20) ? Double(chance.number(5...30)) / 10 : nil,
      timeout: Double(chance.pick([4, 10, 20], or: 10)) / 10, followsRedirects: chance.percent(95),
      hasName: chance.percent(40))
  }

  private mutating func resource() -> ResourcePlan {
    ResourcePlan(
      lines: chance.number(1...3),
      cacheControl: chance.pick(
        ["max-age=60", "max-age=0", "no-store", "max-age=0, stale-while-revalidate=60", "private, max-age=1"],
        or: "no-store"),
      hasTag: chance.percent(50), delay: chance.pick([0, 0, 20, 100, 500], or: 0),
      trouble: chance.percent(40) ? trouble() : nil)
  }

  // MARK: Helpers of the stories

  mutating func makeCallNumber() -> Int {
    lastCall += 1
    return lastCall
  }

  mutating func makeIdentity() -> Int {
    lastIdentity += 1
    return lastIdentity
  }

  func isAtHome(_ client: Int) -> Bool { plan.clients[client].origin == plan.owners[plan.clients[client].owner].home }

  mutating func client() -> Int { chance.below(plan.clients.count) }

  /// A client that may send requests with a token.
  mutating func clientAtHome(of kind: OwnerPlan.Kind? = nil) -> Int {
    let fitting = plan.clients.indices.filter { index in
      isAtHome(index) && (kind == nil || plan.owners[plan.clients[index].owner].kind == kind)
    }
    return chance.pick(fitting, or: 0)
  }

  mutating func add(_ action: Step.Action, at moment: Step.Moment = .now) {
    plan.steps.append(Step(moment: moment, action: action))
  }

  mutating func pause(_ milliseconds: ClosedRange<Int>) {
    add(.pause(milliseconds: chance.number(milliseconds)))
  }

  mutating func signOut(_ client: Int, at moment: Step.Moment = .now) {
    let next = chance.percent(85) ? makeIdentity() : nil
    add(.signOut(owner: plan.clients[client].owner, next: next), at: moment)
  }

  /// Arms a sign-out of the client's owner during an event. The next identity signs in afterwards.
  mutating func signOut(_ client: Int, during event: Tripwire.Event, of call: CallPlan) {
    let owner = plan.clients[client].owner
    add(.arm(Tripwire(event: event, path: call.path, owner: owner, next: makeIdentity())))
  }
}
