/// A server with a queue that processes a fixed number of requests per second. It also processes requests whose clients
/// have given up, because it can't know about them.
struct SimulatedServer {
  /// The outcome that the client sees.
  enum Response {
    case success
    case unavailable
    case timedOut
  }

  private let scenario: Scenario
  private var phase: Scenario.Phase.Server = .serving(capacity: 1)
  /// The requests that are queued or being processed.
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

  /// Receives a request. Returns the response, and the delay in seconds until the client gets it.
  mutating func receive() -> (response: Response, after: Double) {
    guard case .serving = phase, backlog < scenario.queue * scenario.normalLoad else { return (.unavailable, 0.005) }
    // 20 ms for the way and the work, plus the time in the queue.
    let duration = 0.02 + backlog / capacity
    backlog += 1
    return duration < scenario.timeout ? (.success, duration) : (.timedOut, scenario.timeout)
  }
}
