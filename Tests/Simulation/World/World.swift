import Foundation
import WebServices

/// Runs a plan: an app with its services and managers, the servers, and the network between them.
///
/// Unchecked, because only the simulated thread uses the object.
final class World: @unchecked Sendable {
  /// More steps than any finite plan needs.
  private static let stepLimit = 10_000

  let plan: Plan
  let scheduler: Scheduler
  var history = History()
  private(set) var isConnected = true
  private var servers: Servers
  private var processes: [Process] = []
  private var handles: [Int: @Sendable () -> Void] = [:]
  private var numbers = 0
  /// Calls and shutdowns that haven't ended.
  private var pending = 0
  private var hasReportedTimers = false
  private var isEndless = false
  private let thread: SimulatedThread

  /// A process of the app: a token manager and a service.
  private final class Process: @unchecked Sendable {
    let manager: BasicAuthManager
    var service: JsonWebService?
    var user: Int?

    init(_ manager: BasicAuthManager) { self.manager = manager }
  }

  private struct Weak {
    weak var engine: Engine?
    weak var service: JsonWebService?
    var isIdle: Bool { service.map { $0.requestCount == 0 } ?? (engine == nil) }
  }
  private var engines: [Weak] = []
  private lazy var storage = WorldStorage { [unowned self] token in note(.stored(refreshToken: token.refreshToken)) }

  init(_ plan: Plan) {
    self.plan = plan
    servers = Servers(plan.account)
    let scheduler = Scheduler(seed: plan.seed &* 1_000_003 &+ plan.schedule)
    scheduler.switchRate = plan.switchRate
    scheduler.stallRate = plan.stallRate
    self.scheduler = scheduler
    thread = SimulatedThread {
      scheduler.add($0, $1)
    } yield: {
      scheduler.yield()
    }
  }

  // MARK: Running

  func run() -> History {
    thread.perform {
      openProcess()
      for step in plan.steps {
        scheduler.add(step.action.lane, after: step.time) { [self] in perform(step.action) }
      }
      runToTheEnd()
      for process in processes { process.service = nil }
      processes = []
      handles = [:]
      runToTheEnd()
      if plan.calls.contains(where: { $0.form == .download }) { checkFolder() }
      if engines.contains(where: { $0.engine != nil }) { note(.left("a service that nobody holds")) }
    }
    return history
  }

  /// The folder of the downloads, which is made by the first.
  private lazy var folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulation-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private func checkFolder() {
    let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    if !left.isEmpty { note(.left("\(left.count) files")) }
    try? FileManager.default.removeItem(at: folder)
  }

  private func runToTheEnd() {
    while scheduler.stepCount < Self.stepLimit, scheduler.runNext() {
      // A cache may refresh a response when nobody waits for it any more. A timer may come late while work is stopped.
      guard pending == 0, !hasReportedTimers, !plan.layers.hasCache, plan.stallRate == 0, !scheduler.hasOtherWork,
        !scheduler.clockTimers.isEmpty,
        engines.allSatisfy(\.isIdle)
      else { continue }
      hasReportedTimers = true
      note(.left("timers, due in \(scheduler.clockTimers) s"))
    }
    guard scheduler.stepCount >= Self.stepLimit, !isEndless else { return }
    isEndless = true
    note(.left("work without end"))
  }

  func note(_ sight: History.Sight) { history.add(sight, at: scheduler.now, step: scheduler.stepCount) }

  func makeNumber() -> Int {
    numbers += 1
    return numbers
  }

  // MARK: The app

  private func openProcess() {
    let clock = WorldClock(scheduler: scheduler)
    let index = processes.count
    let source = OAuth2(
      tokenURL: URL(string: "\(Servers.tokens)/token") ?? URL(fileURLWithPath: "/"),
      client: OAuth2.Client(id: "app"))
    let manager = BasicAuthManager(
      storage: storage, leeway: plan.account.leeway, clock: clock, renewalTimeout: 4, wallClock: { clock.date },
      source: source)
    manager.onSignOut(callbackQueue: DispatchQueue(label: "sign-out \(index)")) { [self] reason in
      if reason != nil { note(.lostSession(process: index)) }
    }
    let process = Process(manager)
    process.user = processes.first?.user
    processes.append(process)
    openService(index)
  }

  private func openService(_ index: Int) {
    let clock = WorldClock(scheduler: scheduler)
    let client = plan.client
    var configuration = WebServiceConfiguration(
      baseURL: URL(string: Servers.api), timeout: client.timeout,
      retry: RetryPolicy(
        attemptLimit: client.attempts,
        backoff: RetryPolicy.Backoff(base: client.backoff, factor: 1, limit: client.backoff)), clock: clock)
    configuration.deadline = client.deadline
    configuration.retryBudget = .unlimited
    configuration.connectivity = client.waitsForNetwork ? .wait(upTo: 3, interval: 0.5) : .failAtOnce
    configuration.random = RetryPolicy.RandomSource { [scheduler] in scheduler.unit() }
    configuration.wallClock = { clock.date }
    configuration.layers = layers(clock)
    let service = JsonWebService(
      session: WorldSession(self, process: index), tokenManager: processes[index].manager,
      reachability: Reachability(world: self), configuration: configuration)
    engines.append(Weak(engine: service.engine, service: service))
    processes[index].service = service
  }

  private func layers(_ clock: WorldClock) -> [any SessionLayer] {
    let plan = plan.layers
    var layers: [any SessionLayer] = []
    if plan.hasCookies { layers.append(.cookies(CookieJar { clock.date })) }
    if plan.hasCache { layers.append(.cache(ResponseCache(MemoryResponseStore()) { clock.date })) }
    if plan.coalesces { layers.append(.coalescing) }
    if let policy = plan.breaker { layers.append(.circuitBreaker(policy)) }
    if let limits = plan.limits { layers.append(.limits(limits)) }
    return layers
  }

  private func perform(_ action: Step.Action) {
    if case .call(let call) = action { return start(call) }
    note(.step("\(action)"))
    switch action {
    case .call: break
    case .cancel(let call):
      guard let cancel = handles[call] else { return }
      note(.cancelled(call: call))
      cancel()
    case .signIn(let user): if processes[0].user == nil { signIn(user, process: 0) }
    case .signOut(let index, let next):
      guard processes.indices.contains(index) else { return }
      let process = processes[index]
      let user = process.user
      process.user = nil
      process.manager.clear()
      note(.signedOut(process: index, user: user))
      if let next { signIn(next, process: index) }
    case .revoke(let user, let wholeSession): servers.revoke(user, wholeSession: wholeSession)
    case .openTwin: if processes.count == 1 { openProcess() }
    case .swapService:
      let former = processes[0].service
      openService(0)
      former?.invalidateAndCancel()
      note(.closed(service: 0))
    case .shutDown(let seconds): shutDown(within: seconds)
    case .releaseService: processes[0].service = nil
    case .loseNetwork(let seconds):
      isConnected = false
      scheduler.add("app", after: seconds) { [self] in isConnected = true }
    }
  }

  private func signIn(_ user: Int, process: Int) {
    processes[process].user = user
    let info = servers.signIn(user, now: scheduler.now)
    processes[process].manager.update(info)
    note(.signedIn(process: process, user: user, info))
  }

  private func shutDown(within seconds: Double) {
    guard let service = processes[0].service else { return }
    guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else {
      return service.invalidateAndCancel()
    }
    pending += 1
    Task(executorPreference: WorldExecutor(scheduler)) { [self] in
      await service.shutDown(within: seconds)
      note(.closed(service: 0))
      pending -= 1
    }
  }

  // MARK: Calls

  private func start(_ call: CallPlan) {
    guard processes.indices.contains(call.process), let service = processes[call.process].service else { return }
    pending += 1
    let options = RequestOptions {
      $0.timeout = call.timeout
      $0.deadline = call.deadline
      $0.priority = call.priority
    }
    let request = Request(
      call.resource.map { "r/\($0)" } ?? "own/\(call.number)", HTTPMethod(rawValue: call.method),
      body: call.method == "GET" ? nil : RequestBody.text("content"), authorization: call.needsToken ? .bearer : .none,
      options: options)
    guard call.form == .response else { return read(call, request, from: service) }
    if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), call.isAwaited {
      let task = Task(executorPreference: WorldExecutor(scheduler)) { [self] in
        note(.started(call: call.number))
        do throws(WebServiceError) {
          end(call, .success(try await service.sendRequest(request, parser: .response)), frame: -1, label: "tasks")
        } catch { end(call, .failure(error), frame: -1, label: "tasks") }
      }
      handles[call.number] = cancellation(of: task)
    } else {
      note(.started(call: call.number))
      let frame = scheduler.frame.number
      let label = "completion \(call.number)"
      let task = service.sendRequest(request, parser: .response, callbackQueue: DispatchQueue(label: label)) {
        [self] result in end(call, result, frame: frame, label: label)
      }
      handles[call.number] = { task.cancel() }
    }
  }

  private func cancellation(of task: Task<Void, Never>) -> @Sendable () -> Void {
    { [thread] in
      // The runtime holds a lock while the handlers of a cancellation run.
      thread.willLock()
      task.cancel()
      thread.didUnlock()
    }
  }

  /// Starts a call that reads its response while it arrives.
  private func read(_ call: CallPlan, _ request: Request, from service: JsonWebService) {
    guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else { return pending -= 1 }
    let task = Task(executorPreference: WorldExecutor(scheduler)) { [self] in
      note(.started(call: call.number))
      var lines: [String] = []
      do throws(WebServiceError) {
        var response = WebServiceResponse(statusCode: 204, url: URL(fileURLWithPath: "/"))
        switch call.form {
        case .lines:
          let stream = try await service.stream(request, as: .lines)
          response = stream.response
          var iterator = stream.makeAsyncIterator()
          while let line = try await iterator.next() { lines.append(line) }
        case .events:
          let events = service.serverSentEvents(request, reconnecting: ReconnectionPolicy(delay: 0.5))
          var iterator = events.makeAsyncIterator()
          while let event = try await iterator.next() { note(.element(call: call.number, event.data)) }
        case .download, .response:
          let file = folder.appendingPathComponent("\(call.number)")
          defer { try? FileManager.default.removeItem(at: file) }
          response = try await service.download(request, to: file)
          lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        }
        end(
          call, .success(response), frame: -1, label: "tasks",
          isWhole: response.statusCode == 204 || lines == Servers.lines)
      } catch { end(call, .failure(error), frame: -1, label: "tasks") }
    }
    handles[call.number] = cancellation(of: task)
  }

  private func end(
    _ call: CallPlan, _ result: Result<WebServiceResponse, WebServiceError>, frame: Int, label: String,
    isWhole: Bool = true
  ) {
    pending -= 1
    var outcome = Outcome(isWhole: isWhole, begin: scheduler.frame.start)
    switch result {
    case .success(let response):
      outcome.status = response.statusCode
      outcome.user = response.headers["X-User"].flatMap { Int($0) }
      outcome.reception = response.headers["X-Reception"].flatMap { Int($0) }
      outcome.version = Int(String(decoding: response.body, as: UTF8.self))
    case .failure(let error):
      outcome.status = error.statusCode
      outcome.kind = error.kind
      outcome.attempts = error.attemptCount
      outcome.text = "\(error.phase), \(error.message)"
    }
    outcome.isInPlace = scheduler.frame.label == label
    outcome.isInsideCall = scheduler.frame.number == frame
    note(.ended(call: call.number, outcome))
  }

  // MARK: The network

  var connectionDelay: Double { plan.client.connectionDelay }

  func noteSending(of task: WorldTask, from process: Int) {
    let target = task.request.target
    let path = target.map { String($0.pathAndQuery) } ?? ""
    let parts = path.split(separator: "/").map(String.init)
    let number = parts.count > 1 ? Int(parts[1]) : nil
    note(
      .sent(
        Sending(
          number: task.number, process: process, host: target?.origin.host ?? "", path: path,
          call: parts.first == "own" ? number : nil, resource: parts.first == "r" ? number : nil,
          needsNewConnection: task.request.needsNewConnection)))
  }

  func receive(_ task: WorldTask, from process: Int) -> Reply {
    let (reception, reply) = servers.receive(
      task.request, number: task.number, process: process, plan: plan, now: scheduler.now)
    note(.received(reception))
    return reply
  }

  func noteAnswer(_ reply: Reply, _ result: Result<WebServiceResponse, TransportError>) {
    note(.answered(reception: reply.reception, status: try? result.get().statusCode))
  }

  private struct Reachability: ReachabilityCheckable {
    let world: World
    func isConnected() -> Bool { world.isConnected }
  }
}

/// The storage of a user's token, which several processes share.
final class WorldStorage: TokenStorage, @unchecked Sendable {
  private var token: StoredToken?
  private let note: (StoredToken) -> Void

  init(note: @escaping (StoredToken) -> Void) { self.note = note }

  func load() -> StoredToken? { token }

  func save(_ token: StoredToken) {
    self.token = token
    note(token)
  }

  func clear() { token = nil }
}
