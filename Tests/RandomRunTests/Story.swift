/// A record written by hand, with a matching plan.
struct Story {
  var plan: Plan
  var record = Record()
  private var orders: [Int: Int] = [:]

  init(_ call: CallPlan = CallPlan(number: 1, client: 0), policies: Policies = Policies()) {
    plan = Plan(
      seed: 0, originCount: 2, owners: [OwnerPlan(kind: .tokens, home: 0, tokenLifetime: 600, renewal: .works)],
      clients: [ClientPlan(owner: 0, origin: 0, policies: policies)], resources: [],
      steps: [Step(action: .call(call))])
  }

  /// Adds entries, and numbers the requests of each origin.
  mutating func add(_ entries: [Record.Entry]) {
    for var entry in entries {
      if case .received(var reception) = entry.sight {
        orders[reception.origin, default: 0] += 1
        reception.order = orders[reception.origin, default: 0]
        entry.sight = .received(reception)
      }
      record.entries.append(entry)
    }
  }

  func violations(of check: Check) -> [String] { check.violations(plan, record) }
}

extension Record.Entry {
  static func saw(_ sight: Sight, at time: Double = 0) -> Self { Self(time: time, sight: sight) }

  static func start(at time: Double = 0) -> Self { saw(.started(call: 1, generation: 0), at: time) }

  static func receive(
    _ method: String = "GET", _ path: String = "/c/1/0", at origin: Int = 0, as identity: Int? = nil,
    secrets: Set<Secret> = [], status: Int? = 200, duration: Double? = nil, time: Double = 0
  ) -> Self {
    let reception = Reception(
      origin: origin, order: 0, call: path.hasPrefix("/c/1/") ? 1 : nil, method: method, path: path,
      identity: identity, secrets: secrets, status: status, duration: duration)
    return saw(.received(reception), at: time)
  }

  static func end(
    _ failure: String? = nil, of target: String = "c1", as identity: Int = -1, at time: Double = 0,
    _ change: (inout Outcome) -> Void = { _ in }
  ) -> Self {
    var delivery = Delivery()
    if failure == nil { (delivery.targets, delivery.identities, delivery.isWhole) = ([target], [identity], true) }
    var outcome = Outcome(failure: failure, delivery: delivery)
    change(&outcome)
    return saw(.ended(call: 1, outcome), at: time)
  }

  static func element(as identity: Int) -> Self {
    var delivery = Delivery()
    delivery.identities = [identity]
    return saw(.element(call: 1, delivery))
  }
}
