import Foundation
import WebServices
import WebServicesTesting

/// A client of a run: a service that can be swapped, or the `Server` of its owner.
final class Client: Sendable {
  let index: Int
  let plan: ClientPlan
  let owner: Owner
  let clock = CountingClock()
  let network = FakeReachability()
  let recorder: Recorder
  let directory: URL
  /// The kept downloads in progress, by their folder.
  let keptDownloads = Guarded<[URL: Int]>([:])
  private let base: URL
  private let state = Guarded(State())

  private struct State: Sendable {
    var service: JsonWebService?
    var generation = 0
    var tasks: [Int: WebServiceTask] = [:]
    /// The Swift tasks of awaited calls.
    var awaiting: [Int: Task<Void, Never>] = [:]
    var former: [WeakService] = []
  }

  struct WeakService: Sendable {
    weak var service: JsonWebService?
  }

  init(_ index: Int, plan: ClientPlan, owner: Owner, base: URL, directory: URL, recorder: Recorder) {
    self.index = index
    self.plan = plan
    self.owner = owner
    self.base = plan.policies.hasName ? Self.named(base) : base
    self.directory = directory
    self.recorder = recorder
    switch owner.plan.kind {
    case .server: owner.open { [self] field in config(field) }
    case .tokens: makeService()
    }
  }

  // MARK: Making the service

  private func makeService() {
    let service = JsonWebService(
      session: session, tokenManager: owner.manager, reachability: network,
      configuration: configuration)
    state.withLock { state in
      state.service = service
      state.former.append(WeakService(service: service))
    }
    recorder.check("configuration", "\(configuration)")
  }

  private var configuration: WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: base)
    configuration.headers["X-Api-Key"] = Secret(home: plan.origin, identity: 7000 + index, number: 6).text
    set(&configuration)
    return configuration
  }

  private func set(_ configuration: inout WebServiceConfiguration) {
    let policies = plan.policies
    configuration.timeout = policies.timeout
    configuration.deadline = policies.deadline
    // A redirect that isn't followed is an ordinary response, whose endless body would fill the memory up to the limit.
    if !policies.followsRedirects { configuration.responseLimit = 4 << 20 }
    configuration.redirects = policies.followsRedirects ? .follow : .doNotFollow
    if policies.retries > 0 {
      configuration.retry = RetryPolicy(
        attemptLimit: policies.retries + 1, backoff: RetryPolicy.Backoff(base: 0.05, factor: 2, limit: 0.2),
        retryAfterLimit: 2)
    }
    configuration.layers = layers(policies)
    configuration.connectivity = policies.waitsForNetwork ? .wait(upTo: 1, interval: 0.1) : .failAtOnce
    configuration.monitors = [Listener(owner: owner, recorder: recorder), log]
    configuration.clock = clock
  }

  private func layers(_ policies: Policies) -> [any SessionLayer] {
    var layers: [any SessionLayer] = []
    switch policies.cache {
    case .none: break
    case .memory: layers.append(.cache(ResponseCache()))
    case .disk:
      let cache = try? ResponseCache(directory: directory.appendingPathComponent("cache-\(index)"))
      if let cache { layers.append(.cache(cache)) }
    }
    layers.append(.coalescing(byDefault: policies.coalesces))
    if policies.hasBreaker {
      layers.append(.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 6, window: 2, openDuration: 0.3)))
    }
    if let count = policies.concurrentRequests {
      layers.append(.limits(RequestLimits(concurrentRequestsPerHost: count, serverWaitLimit: 2)))
    }
    return layers
  }

  private var log: RequestLog {
    RequestLog(level: .debug) { [recorder] in recorder.check("log entry", "\($0)") }
  }

  private func config(_ field: HTTPHeaders.Field?) -> Server.Config {
    var config = Server.Config(
      base: base, headers: field.map { [$0.name: $0.value] } ?? [:], timeout: plan.policies.timeout,
      service: { [self] in set(&$0) }, reachability: network, clock: clock)
    if let session { config.session = { session } }
    return config
  }

  // MARK: Names of this machine

  private static let name = "origin.test"

  /// The URL with a name instead of its host; unchanged if no session knows the name.
  private static func named(_ url: URL) -> URL {
    #if os(Linux)
      let isKnown = (try? CurlSession()) != nil
      return isKnown ? URL(string: "http://\(name):\(url.port ?? 80)") ?? url : url
    #else
      return url
    #endif
  }

  /// A session that knows the name; `nil` for the service's own session.
  private var session: (any URLSessionProtocol)? {
    #if os(Linux)
      guard base.host == Self.name else { return nil }
      var configuration = TransportConfiguration()
      configuration.addresses = ["\(Self.name):\(base.port ?? 80)": "127.0.0.1"]
      return try? CurlSession(configuration: configuration)
    #else
      return nil
    #endif
  }

  // MARK: Work in progress

  var service: (service: JsonWebService, generation: Int)? {
    state.withLock { state in state.service.map { ($0, state.generation) } }
  }

  func keep(_ task: WebServiceTask, of call: Int) { state.withLock { $0.tasks[call] = task } }
  func keep(_ task: Task<Void, Never>, of call: Int) { state.withLock { $0.awaiting[call] = task } }

  func cancel(_ call: Int) {
    let (task, awaiting) = state.withLock { ($0.tasks[call], $0.awaiting[call]) }
    task?.cancel()
    awaiting?.cancel()
  }

  /// Replaces the service, as a reset of the shared instance does.
  func swap() async {
    await owner.perform { [self] _ in
      guard let (former, generation) = service else { return }
      recorder.add(.changing(owner: owner.index))
      state.withLock { state in
        state.service = nil
        state.generation += 1
      }
      makeService()
      former.invalidateAndCancel()
      recorder.add(.swapped(client: index, generation: generation))
      recorder.add(.changed(owner: owner.index))
    }
  }

  /// Shuts the services down.
  func close() {
    let (service, tasks) = state.withLock { state in
      defer { (state.service, state.tasks, state.awaiting) = (nil, [:], [:]) }
      return (state.service, state.awaiting)
    }
    tasks.values.forEach { $0.cancel() }
    service?.invalidateAndCancel()
    if owner.plan.kind == .server { owner.server?.set(Server.Config(base: nil)) }
  }

  var requestCount: Int {
    (service?.service.requestCount ?? 0) + (owner.plan.kind == .server ? owner.server?.requestCount ?? 0 : 0)
  }

  /// The number of services that are still retained.
  var heldServices: Int { state.withLock { $0.former.count { $0.service != nil } } }
}

/// Reads the description of every event.
struct Listener: RequestMonitor {
  let owner: Owner
  let recorder: Recorder

  func record(_ event: RequestEvent) {
    recorder.check("event", "\(event)")
    owner.handle(event)
  }
}
