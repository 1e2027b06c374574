/// A server with a queue: it works off so many requests a second, and those that were given up meanwhile too, since it
/// knows nothing of that.
struct SimulatedServer {
  enum Answer {
    case success
    case unavailable
    case timedOut
  }

  private let scenario: Scenario
  private var phase: Scenario.Phase.Server = .serving(capacity: 1)
  private var backlog = 0.0

  init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  private var capacity: Double {
    if case .serving(let factor) = phase { factor * scenario.normalLoad } else { 0 }
  }

  mutating func enter(_ phase: Scenario.Phase.Server) {
    self.phase = phase
    if case .down = phase { backlog = 0 }
  }

  mutating func work(seconds: Double) {
    backlog = max(0, backlog - capacity * seconds)
  }

  /// Takes a request. Its client learns of the answer after so many seconds.
  mutating func receive() -> (answer: Answer, after: Double) {
    guard case .serving = phase, backlog < scenario.queue * scenario.normalLoad else { return (.unavailable, 0.005) }
    let duration = 0.02 + backlog / capacity
    backlog += 1
    return duration < scenario.timeout ? (.success, duration) : (.timedOut, scenario.timeout)
  }
}
