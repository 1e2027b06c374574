/// A record written by hand, with a matching plan.
struct Story {
  var plan = Plan(
    seed: 0, originCount: 2, owners: [OwnerPlan(kind: .tokens, home: 0, tokenLifetime: 600, renewal: .works)],
    clients: [ClientPlan(owner: 0, origin: 0, policies: Policies())], resources: [], steps: [])
  var record = Record()
  private var orders: [Int: Int] = [:]

  init(_ call: CallPlan = CallPlan(number: 1, client: 0)) {
    plan.steps = [Step(action: .call(call))]
  }

  mutating func add(_ sight: Sight, at time: Double = 0) {
    record.entries.append(Record.Entry(time: time, sight: sight))
  }

  mutating func receive(
    _ method: String = "GET", _ path: String = "/c/1/0", at origin: Int = 0, as identity: Int? = nil,
    secrets: Set<Secret> = [], status: Int? = 200, time: Double = 0,
    _ change: (inout Reception) -> Void = { _ in }
  ) {
    orders[origin, default: 0] += 1
    var reception = Reception(
      origin: origin, order: orders[origin, default: 0], call: path.hasPrefix("/c/1/") ? 1 : nil, method: method,
      path: path, identity: identity, secrets: secrets, status: status)
    change(&reception)
    add(.received(reception), at: time)
  }

  mutating func start(generation: Int = 0, at time: Double = 0) {
    add(.started(call: 1, generation: generation), at: time)
  }

  mutating func end(
    _ failure: String? = nil, of target: String = "c1", as identity: Int = -1, at time: Double = 0,
    _ change: (inout Outcome) -> Void = { _ in }
  ) {
    var delivery = Delivery()
    if failure == nil { (delivery.targets, delivery.identities, delivery.isWhole) = ([target], [identity], true) }
    var outcome = Outcome(failure: failure, delivery: delivery)
    change(&outcome)
    add(.ended(call: 1, outcome), at: time)
  }

  func violations(of check: Check) -> [String] { check.violations(plan, record) }
}
