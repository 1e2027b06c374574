import Foundation
import Fuzz
import Synchronization
import WebServices

/// Simulates many clients and one server on a virtual clock, in steps of a millisecond. `seconds(of:in:)` runs
/// a simulation.
struct Simulation {
  private enum Event {
    /// A client's program wants to send a request.
    case request(client: Int)
    /// A client is about to send, unless its rate limit makes it wait.
    case attempt(client: Int, number: Int, permit: Int?)
    case response(SimulatedServer.Response, client: Int, number: Int, permit: Int?)
    /// A client has waited and asks its circuit breaker again.
    case retry(client: Int, number: Int)
  }

  /// The requests of one second of the simulation.
  struct Second {
    /// The requests that the clients' programs wanted to send.
    var wanted = 0
    /// The requests that the server received.
    var received = 0
    var succeeded = 0
  }

  private let scenario: Scenario
  private let retry: RetryPolicy
  private let random: Chance
  private let request = TransportRequest(url: URL(fileURLWithPath: "/"))
  private var clients: [SimulatedClient]
  private var server: SimulatedServer
  /// The events of the next minute by the millisecond. A longer delay counts as a minute. A heap would sort events that
  /// need no order within a millisecond.
  private var events: [[Event]] = Array(repeating: [], count: 60_001)
  private var current = 0
  private var now = 0.0
  private var seconds: [Second]

  private init(_ behaviour: Behaviour, in scenario: Scenario) {
    self.scenario = scenario
    retry = behaviour.retry
    random = Chance(seed: scenario.seed)
    clients = (0..<scenario.clients).map { _ in SimulatedClient(behaviour, scenario) }
    server = SimulatedServer(scenario)
    seconds = Array(repeating: Second(), count: Int(scenario.duration.rounded(.up)) + 1)
  }

  /// Simulates a scenario and returns what happened in each second.
  static func seconds(of behaviour: Behaviour, in scenario: Scenario) -> [Second] {
    var simulation = Simulation(behaviour, in: scenario)
    simulation.run()
    return simulation.seconds
  }

  /// Schedules an event, at the earliest for the next millisecond.
  private mutating func add(_ event: Event, after seconds: Double) {
    let milliseconds = min(max(1, Int((seconds * 1000).rounded())), events.count - 1)
    events[(current + milliseconds) % events.count].append(event)
  }

  private mutating func run() {
    for client in clients.indices {
      add(.request(client: client), after: random.gap(rate: scenario.requestsPerSecond))
    }
    for (phase, span) in scenario.spans {
      server.enter(phase.server)
      for _ in 0..<Int(((span.upperBound - span.lowerBound) * 1000).rounded()) {
        now += 0.001
        server.work(seconds: 0.001)
        current = (current + 1) % events.count
        let due = events[current]
        events[current] = []
        due.forEach { handle($0) }
      }
    }
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .request(let client):
      add(event, after: random.gap(rate: scenario.requestsPerSecond))
      count { $0.wanted += 1 }
      admit(client, number: 1)
    case .retry(let client, let number):
      admit(client, number: number)
    case .attempt(let client, let number, let permit):
      send(client, number: number, permit: permit)
    case .response(let response, let client, let number, let permit):
      judge(response, client, number: number, permit: permit)
    }
  }

  private mutating func admit(_ client: Int, number: Int) {
    let permit = clients[client].breaker?.admit(now: now) ?? nil
    // A request that the circuit refuses has failed, and isn't retried.
    guard clients[client].breaker == nil || permit != nil else { return }
    send(client, number: number, permit: permit)
  }

  private mutating func send(_ client: Int, number: Int, permit: Int?) {
    let wait = clients[client].bucket?.wait(now: now) ?? 0
    guard wait == 0 else {
      add(.attempt(client: client, number: number, permit: permit), after: wait)
      return
    }
    clients[client].bucket?.take(now: now)
    count { $0.received += 1 }
    let (response, delay) = server.receive()
    add(.response(response, client: client, number: number, permit: permit), after: delay)
  }

  private mutating func judge(
    _ response: SimulatedServer.Response, _ client: Int, number: Int, permit: Int?
  ) {
    let outcome = response.outcome
    if let permit {
      let chance = response == .success ? 0 : random.next()
      clients[client].breaker?.record(outcome.showsWorkingHost, permit: permit, now: now, chance: chance)
    }
    if case .success = response {
      clients[client].budget.deposit()
      count { $0.succeeded += 1 }
      return
    }
    let again = retry.retry(
      after: outcome, attempt: number, of: request, now: Date(timeIntervalSince1970: now),
      random: RetryPolicy.RandomSource { [random] in random.next() })
    guard let again, clients[client].budget.withdraw() else { return }
    add(.retry(client: client, number: number + 1), after: again.delay)
  }

  private mutating func count(_ change: (inout Second) -> Void) {
    change(&seconds[min(Int(now), seconds.count - 1)])
  }
}

/// Random numbers that repeat their sequence in every run.
private final class Chance: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  func next() -> Double { Double(generator.withLock { $0.next() } >> 11) * 0x1p-53 }

  /// The delay until the next random event, for this many events per second on average.
  func gap(rate: Double) -> Double { -log(1 - next()) / rate }
}
