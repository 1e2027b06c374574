import Foundation
import WebServices

/// Shows how retries, a retry budget and a circuit breaker handle an outage of the server.
@MainActor
final class OutageCommand {
  private static let attempts = 3
  /// The limit of requests. The circuit opens after fewer.
  private static let maximumRequests = 25

  private let context: CommandContext
  private let monitor = OutageMonitor()
  private let metrics = RequestMetrics()
  /// The service with retries and a circuit breaker. The shared service controls the outage.
  private let service: JsonWebService

  init(_ context: CommandContext) {
    self.context = context
    var configuration = context.configuration
    // Smaller than the defaults, so that the demonstration reaches each limit within seconds.
    configuration.retry = RetryPolicy(maximumAttempts: Self.attempts, backoff: Backoff(base: 0.2))
    configuration.retryBudget = RetryBudget(RetryBudget.Policy(ratio: 0.1, burst: 3, window: 1))
    let breaker = CircuitBreakerPolicy(failureRatio: 0.7, minimumVolume: 8, window: 10, openDuration: 1, probes: 1)
    configuration.layers = [.circuitBreaker(breaker)]
    configuration.monitors += [monitor, metrics]
    service = JsonWebService(reachability: context.wiring.reachability, configuration: configuration)
  }

  func run() async throws {
    defer { service.invalidateAndCancel() }
    // An outage of an earlier run would fail the first step.
    try await control(.end)
    try await showHealth()
    try await showRetries()
    try await showBreaker()
    try await showRecovery()
    printSummary()
  }

  // MARK: Steps

  private func showHealth() async throws {
    Console.result("1. The server works.")
    for number in 1...3 {
      let result = await requestFlaky()
      Console.result("   request \(number): \(OutageText.outcome(result))")
      if case .failure(let error) = result { throw context.failure("the demonstration", error) }
    }
  }

  private func showRetries() async throws {
    let failures = Self.attempts - 1
    Console.result("2. The server fails \(failures) times. One request is retried after random delays.")
    try await control(.begin(requests: failures))
    _ = await requestFlaky()
    for line in OutageText.attempts(lastEvents) { Console.result("   \(line)") }
  }

  private func showBreaker() async throws {
    Console.result("3. The server fails until it is repaired. The retry budget runs out, then the circuit opens.")
    try await control(.begin(requests: nil))
    var refusals = 0
    for number in 1...Self.maximumRequests where refusals < 3 {
      let result = await requestFlaky()
      Console.result("   request \(number): \(OutageText.outcome(result))")
      if case .failure(let error) = result, error.kind == .circuitOpen { refusals += 1 }
    }
    guard refusals > 0 else { throw CommandFailure(["FeatherDemo: the circuit didn't open. Please try again."]) }
  }

  private func showRecovery() async throws {
    try await control(.end)
    Console.result("4. The server is repaired. The circuit stays open for a while, then sends one probe.")
    for number in 1...Self.maximumRequests {
      let result = await requestFlaky()
      Console.result("   request \(number): \(OutageText.outcome(result))")
      guard case .failure(let error) = result else { break }
      guard let open = error.underlying(as: CircuitOpenError.self) else { continue }
      try await pause(open.retryAfter)
    }
    let result = await requestFlaky()
    Console.result("   the next: \(OutageText.outcome(result)), the circuit is closed")
    if case .failure(let error) = result { throw context.failure("the recovery", error) }
  }

  private func printSummary() {
    let counts = metrics.snapshot()
    let refused = counts.failures["\(WebServiceError.Kind.circuitOpen)"] ?? 0
    let line =
      "In all: \(Wording.count(Int(counts.requests), "request")), \(counts.successes) of them successful;"
      + " \(counts.transfers) reached the server, \(counts.retries) were retries, \(refused) failed at the open circuit."
    Console.result(line)
  }

  // MARK: Requests

  /// Sends one request to the route that fails during an outage.
  private func requestFlaky() async -> Result<Void, WebServiceError> {
    do throws(WebServiceError) {
      return .success(try await service.sendRequest(RequestDataForFlaky(), parser: .nothing))
    } catch {
      return .failure(error)
    }
  }

  /// Begins or ends the outage, and forgets the events of earlier requests.
  private func control(_ command: RequestDataForOutage.Command) async throws {
    do throws(WebServiceError) {
      try await JsonWebService.shared.sendRequest(RequestDataForOutage(command: command), parser: .nothing)
    } catch {
      throw context.failure("telling the server to fail", error)
    }
    // The events of earlier requests belong to another step.
    _ = monitor.removeEvents()
  }

  private var lastEvents: [RequestEvent] { monitor.removeEvents() }

  private func pause(_ seconds: TimeInterval) async throws {
    // A little more than the circuit says, so that the next request is a probe.
    let seconds = min(max(0, seconds), 10) + 0.01
    Console.result("   waiting \(Wording.fixed(seconds, 2)) s")
    context.spinner.start("Waiting")
    defer { context.spinner.stop() }
    try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
  }
}
