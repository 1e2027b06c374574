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
  /// The tasks that were neither sent nor cancelled.
  var idleTasks: Set<Int> = []
  private var hasReportedTimers = false
  private var isEndless = false
  private let thread: SimulatedThread

  /// A process of the app: a token manager, a service, and a server that follows the user.
  private final class Process: @unchecked Sendable {
    let manager: BasicAuthManager
    let identities = IdentitySource(User(number: nil, token: nil))
    var service: JsonWebService?
    var server: Server?
    var user: Int?
    /// The services of a process share the cache.
    var cache: ResponseCache?

    /// Releases service and server. Their `deinit` runs other work, which must find the properties unchanged.
    func close() {
      let former = (service, server)
      (service, server) = (nil, nil)
      withExtendedLifetime(former) {}
    }

    init(_ manager: BasicAuthManager) { self.manager = manager }
  }

  private struct Weak {
    weak var engine: Engine?
    weak var service: JsonWebService?
    var isIdle: Bool { service.map { $0.requestCount == 0 } ?? (engine == nil) }
  }
  private var engines: [Weak] = []
  /// The user whom a server follows, with the token of the sign-in.
  private struct User: Equatable {
    var number: Int?
    var token: String?
  }

  private(set) lazy var disk = Disk { [unowned self] in note(.died) }
  private lazy var storage = WorldStorage(
    self,
    file: plan.client.hasDisk ? FileTokenStorage(url: disk.folder.appendingPathComponent("tokens/token")) : nil)
  /// Witnesses that have to be gone once their call or their server is over.
  private var traces: [Trace] = []
  /// The calls that download to the common file, and whether another one was under way meanwhile.
  private var fileCalls: [Int: Bool] = [:]

  init(_ plan: Plan) {
    self.plan = plan
    servers = Servers(plan.account)
    let scheduler = Scheduler(seed: plan.seed &* 1_000_003 &+ plan.schedule)
    scheduler.switchRate = plan.switchRate
    scheduler.stallRate = plan.stallRate
    scheduler.prefersRare = plan.prefersRare
    self.scheduler = scheduler
    thread = SimulatedThread {
      scheduler.add($0, $1)
    } yield: {
      scheduler.yield()
    }
  }

  // MARK: Running

  func run() -> History {
    let fault = disk.fault
    return fault.perform { runThread() }
  }

  private func runThread() -> History {
    thread.perform {
      openProcess()
      for step in plan.steps { scheduler.add(step.action.lane, after: step.time) { [self] in perform(step.action) } }
      runToTheEnd()
      handles = [:]
      checkTraces()
      for process in processes { process.close() }
      runToTheEnd()
      checkTraces()
      checkFolder()
      if !idleTasks.isEmpty { note(.broken("left: a task that is neither sent nor cancelled")) }
      removeProcesses()
      runToTheEnd()
      if engines.contains(where: { $0.engine != nil }) { note(.broken("left: a service that nobody holds")) }
    }
    return history
  }

  private func removeProcesses() {
    let former = processes
    processes = []
    withExtendedLifetime(former) {}
  }

  private func trace(_ name: String) -> Witness {
    let witness = Witness()
    traces.append(Trace(name: name, witness: witness))
    return witness
  }

  /// Notes each closure that is still there although its call or its server is over.
  private func checkTraces() {
    guard pending == 0, !isEndless else { return }
    for trace in traces where trace.witness != nil && (trace.name != "server" || processes.first?.server == nil) {
      note(.broken("left: the closure of a \(trace.name)"))
    }
    traces = traces.filter { $0.name == "server" && processes.first?.server != nil }
  }

  private func checkFolder() {
    if !disk.isDead, let cache = processes.first?.cache, !cache.store.isImmediate {
      cache.removeAll()
      let files = try? FileManager.default.contentsOfDirectory(atPath: disk.folder.path + "/cache/responses")
      if files?.isEmpty == false { note(.broken("left: a file of a cache that was emptied")) }
    }
    let isKilled = plan.contains { if case .kill = $0 { true } else { false } }
    let kept: Set = ["tokens", "cache", "kept"]
    let tokens =
      plan.client.hasDisk
      ? (try? FileManager.default.contentsOfDirectory(atPath: disk.folder.path + "/tokens")) ?? [] : []
    if !isKilled, tokens.contains(where: { $0 != "token" }) { note(.broken("left: a temporary file of a token")) }
    if !isKilled, disk.hasOpenFiles { note(.broken("left: an open file")) }
    for name in disk.removeFolder() where !kept.contains(name) {
      // Kept bytes stay, and so does everything of a killed process.
      if isKilled || name.hasSuffix(".partial") || name.hasSuffix(".resume") { continue }
      note(.broken("left: a file that ends in \(name.suffix(9))"))
    }
  }

  private func runToTheEnd() {
    while scheduler.stepCount < Self.stepLimit, scheduler.runNext() {
      // An event stream whose token comes too late each time, because its own work is stopped, has no end.
      if scheduler.stepCount > Self.stepLimit / 2 { scheduler.stallRate = 0 }
      // A cache may refresh a response when nobody waits for it any more. A timer may come late while work is stopped.
      guard pending == 0, !hasReportedTimers, !plan.layers.hasCache, plan.stallRate == 0, !scheduler.hasOtherWork,
        // A manager waits a moment for the token that another process renews.
        !plan.client.hasDisk || processes.count == 1, scheduler.clockTimers.contains(where: { $0 > 0.001 }),
        engines.allSatisfy(\.isIdle)
      else { continue }
      hasReportedTimers = true
      note(.broken("left: timers, due in \(scheduler.clockTimers) s"))
    }
    guard scheduler.stepCount >= Self.stepLimit, !isEndless else { return }
    isEndless = true
    note(.broken("left: work without end"))
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
    let oauth = OAuth2(
      tokenURL: URL(string: "\(Servers.tokens)/token") ?? URL(fileURLWithPath: "/"),
      client: OAuth2.Client(id: "app"))
    let manager = BasicAuthManager(
      storage: storage, leeway: plan.account.leeway, clock: clock, renewalTimeout: 4, wallClock: { clock.date },
      source: plan.account.grantsItself ? oauth.clientCredentials : oauth)
    manager.onSignOut(callbackQueue: DispatchQueue(label: "sign-out \(index)")) { [self] reason in
      if reason != nil { note(.lostSession(process: index)) }
    }
    let process = Process(manager)
    // Another process may sign in or out while this one reads its token.
    let token = manager.apiToken
    process.user = processes.first?.user ?? token.flatMap(Servers.user)
    if index == 0 { openServer(process, WorldClock(scheduler: scheduler)) }
    processes.append(process)
    openService(index)
  }

  /// Opens a server whose requests carry the token of the user who is signed in.
  private func openServer(_ process: Process, _ clock: WorldClock) {
    process.server = Server(following: process.identities) { [unowned self, witness = trace("server")] user in
      withExtendedLifetime(witness) {
        Server.Config(
          base: URL(string: Servers.api), headers: user.token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
          timeout: plan.client.timeout,
          service: { [unowned self] in
            let base = configuration(clock)
            ($0.retry, $0.retryBudget, $0.deadline) = (base.retry, base.retryBudget, base.deadline)
            ($0.connectivity, $0.random) = (base.connectivity, base.random)
          }, session: { [unowned self] in WorldSession(self, process: 0) }, reachability: Reachability(world: self),
          clock: clock)
      }
    }
  }

  private func configuration(_ clock: WorldClock) -> WebServiceConfiguration {
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
    if client.acceptsAll { configuration.validators = [] }
    return configuration
  }

  private func openService(_ index: Int) {
    let clock = WorldClock(scheduler: scheduler)
    var configuration = configuration(clock)
    configuration.layers = layers(clock, index)
    if plan.client.isMonitored { configuration.monitors = [Monitor(world: self)] }
    let service = JsonWebService(
      session: WorldSession(self, process: index), tokenManager: processes[index].manager,
      reachability: Reachability(world: self), configuration: configuration)
    engines.append(Weak(engine: service.engine, service: service))
    processes[index].service = service
  }

  private func layers(_ clock: WorldClock, _ index: Int) -> [any SessionLayer] {
    let layers = plan.layers
    return layers.kinds.compactMap { kind -> (any SessionLayer)? in
      switch kind {
      case .cookies: layers.hasCookies ? .cookies(CookieJar { clock.date }) : nil
      case .cache: layers.hasCache ? .cache(cache(clock, index)) : nil
      case .coalescing: layers.coalesces ? .coalescing : nil
      case .breaker: layers.breaker.map { .circuitBreaker($0) }
      case .limits: layers.limits.map { .limits($0) }
      case .forwarding: layers.hasOwn ? AppLayer(answered: []) : nil
      case .answering:
        layers.hasOwn
          ? AppLayer(answered: Set(plan.calls.filter(\.isAnsweredByApp).map { "/own/\($0.number)" })) : nil
      }
    }
  }

  private func cache(_ clock: WorldClock, _ index: Int) -> ResponseCache {
    if let cache = processes[index].cache { return cache }
    let folder = disk.folder.appendingPathComponent("cache")
    let files =
      plan.client.hasDisk && index == 0 ? try? DiskResponseStore(directory: folder, now: { clock.date }) : nil
    let cache = ResponseCache(files ?? MemoryResponseStore() as any ResponseStore) { clock.date }
    processes[index].cache = cache
    return cache
  }

  private func perform(_ action: Step.Action) {
    if case .call(let call) = action { return start(call) }
    // Nobody is there to take the step.
    if disk.isDead, action.lane == "accounts" || action.isOfService { return }
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
      if disk.isDead { return }
      process.identities.set(User(number: nil, token: nil))
      note(.signedOut(process: index, user: user))
      if let next { signIn(next, process: index) }
    case .revoke(let user, let wholeSession): servers.revoke(user, wholeSession: wholeSession)
    case .openTwin: if processes.count == 1 { openProcess() }
    case .swapService:
      let (former, count) = (processes[0].service, history.entries.count)
      openService(0)
      former?.invalidateAndCancel()
      note(.closed(entries: count))
    case .emptyCache:
      guard let cache = processes[0].cache else { return }
      cache.removeAll()
      note(.emptiedCache)
    case .shutDown(let seconds): shutDown(within: seconds)
    case .releaseService: processes[0].close()
    case .fillDisk(let seconds):
      disk.isFull = true
      scheduler.add("app", after: seconds) { [self] in disk.isFull = false }
    case .kill(let changes): disk.kill(afterChanges: changes)
    case .restart: restart()
    case .loseNetwork(let seconds):
      isConnected = false
      scheduler.add("app", after: seconds) { [self] in isConnected = true }
    }
  }

  private func signIn(_ user: Int, process: Int) {
    // A process that was opened before finds the token in the storage.
    for index in processes.indices { processes[index].user = user }
    let info = servers.signIn(user, now: scheduler.now)
    processes[process].manager.update(info)
    processes[process].identities.set(User(number: user, token: info.apiToken))
    note(.signedIn(process: process, user: user, info))
  }

  /// Ends what is left of the killed process, and starts it anew.
  private func restart() {
    disk.kill()
    let former = processes[0]
    former.service?.invalidateAndCancel()
    former.close()
    scheduler.add("app", after: 0.5) { [self] in
      disk.revive()
      removeProcesses()
      openProcess()
    }
  }

  private func shutDown(within seconds: Double) {
    guard let service = processes[0].service else { return }
    guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else {
      return service.invalidateAndCancel()
    }
    pending += 1
    let count = history.entries.count
    Task(executorPreference: WorldExecutor(scheduler)) { [self] in
      await service.shutDown(within: seconds)
      note(.closed(entries: count))
      pending -= 1
    }
  }

  // MARK: Calls

  private func start(_ call: CallPlan) {
    guard processes.indices.contains(call.process), !disk.isDead else { return }
    if call.form == .server { return request(call) }
    guard let service = processes[call.process].service else { return }
    pending += 1
    // An account is a user's, and so are the cookies.
    let account = call.needsToken || plan.layers.hasCookies ? "\(processes[call.process].user ?? 0)" : nil
    let options = RequestOptions {
      $0.timeout = call.timeout
      $0.deadline = call.deadline
      $0.priority = call.priority
      $0.cachePolicy = call.cachePolicy
      $0.coalesces = call.coalesces
      if call.hasProgress { $0.onProgress = { [self] in note(.progress(call: call.number, $0)) } }
      if call.keepsFile { $0.partialDownload = .kept(account: account) }
    }
    let request = Request(
      call.keepsFile ? "f/0" : call.resource.map { "r/\($0)" } ?? "own/\(call.number)",
      HTTPMethod(rawValue: call.method),
      body: call.method == "GET"
        ? nil : call.hasStream ? .stream(StreamedContent(), contentType: "text/plain") : RequestBody.text("content"),
      authorization: call.needsToken ? .bearer : .none, options: options)
    let witness = trace("call \(call.number)")
    let front: any JsonWebServiceable =
      switch plan.client.wrapper {
      case nil: service
      // A service with one method doesn't check on the caller's actor that its user is still signed in.
      case .one? where !call.isAwaited && call.form == .response: ReadingService(service)
      case _?: ForwardingService(service)
      }
    guard call.form == .response else { return read(call, request, from: front, witness) }
    if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), call.isAwaited {
      let task = Task(executorPreference: WorldExecutor(scheduler)) { [self] in
        note(.started(call: call.number))
        do throws(WebServiceError) {
          end(call, .success(try await front.sendRequest(request, parser: .response)), frame: -1, label: "tasks")
        } catch { end(call, .failure(error), frame: -1, label: "tasks") }
        withExtendedLifetime(witness) {}
      }
      handles[call.number] = cancellation(of: task)
    } else {
      note(.started(call: call.number))
      let frame = scheduler.frame.number
      let label = "completion \(call.number)"
      let task = front.sendRequest(request, parser: .response, callbackQueue: DispatchQueue(label: label)) {
        [self] result in withExtendedLifetime(witness) { end(call, result, frame: frame, label: label) }
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

  /// Starts a call through the server.
  private func request(_ call: CallPlan) {
    guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), let server = processes[0].server
    else { return }
    pending += 1
    let task = Task(executorPreference: WorldExecutor(scheduler)) { [self] in
      note(.started(call: call.number))
      do {
        let response = try await server.request(
          type: HTTPMethod(rawValue: call.method), path: "own/\(call.number)", timeout: call.timeout,
          send: call.method == "GET" ? .void() : .text("content"), take: .custom { $0 })
        end(call, .success(response), frame: -1, label: "tasks")
      } catch {
        let error = error as? WebServiceError ?? WebServiceError(.invalidRequest, phase: .read, underlying: error)
        end(call, .failure(error), frame: -1, label: "tasks")
      }
    }
    handles[call.number] = cancellation(of: task)
  }

  /// Starts a call that reads its response while it arrives.
  private func read(
    _ call: CallPlan, _ request: Request, from service: any JsonWebServiceable, _ witness: Witness
  ) {
    guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else { return pending -= 1 }
    let user = call.needsToken ? processes[call.process].user ?? 0 : 0
    let task = Task(executorPreference: WorldExecutor(scheduler)) { [self] in
      defer { withExtendedLifetime(witness) {} }
      note(.started(call: call.number))
      if call.keepsFile { beginFile(call.number) }
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
        case .download, .response, .server:
          let file = disk.folder.appendingPathComponent(call.keepsFile ? "kept" : "\(call.number)")
          defer { if !call.keepsFile { try? FileManager.default.removeItem(at: file) } }
          response = try await service.download(request, to: file)
          lines = self.lines(of: file)
        }
        let isEmpty = response.statusCode == 204 || plan.layers.hasOwn && call.form == .events
        // The user may have signed in while the call began.
        let users = [user, processes.indices.contains(call.process) ? processes[call.process].user ?? 0 : 0]
        let isWhole = call.keepsFile ? endFile(call.number, of: users) : lines == Servers.lines
        end(call, .success(response), frame: -1, label: "tasks", isWhole: isEmpty || isWhole)
      } catch {
        if call.keepsFile { _ = endFile(call.number, of: []) }
        end(call, .failure(error), frame: -1, label: "tasks")
      }
    }
    handles[call.number] = cancellation(of: task)
  }

  private func lines(of file: URL) -> [String] {
    (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  private func beginFile(_ call: Int) {
    for other in fileCalls.keys { fileCalls[other] = true }
    fileCalls[call] = !fileCalls.isEmpty
  }

  /// - Returns: whether the file is one version of the user's file, unless another call may have replaced it.
  private func endFile(_ call: Int, of expected: [Int]) -> Bool {
    let isShared = fileCalls.removeValue(forKey: call) ?? true
    let target = self.lines(of: disk.folder.appendingPathComponent("kept"))
    let users = (0...9).filter { user in (0...40).contains { target == Servers.lines(of: user, version: $0) } }
    if !target.isEmpty, users.isEmpty { note(.broken("the target of call \(call) is no version of the file")) }
    return isShared || users.contains(where: expected.contains)
      || plan.account.grantsItself && users == [Servers.client]
  }

  private func end(
    _ call: CallPlan, _ result: Result<WebServiceResponse, WebServiceError>, frame: Int, label: String,
    isWhole: Bool = true
  ) {
    pending -= 1
    // Nobody hears of it.
    if disk.isDead { return }
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
      outcome.text = "\(error.phase), \(error.message)"
      // Servers repeat what they were sent. No description may show it.
      let text = "\(error)"
      if let secret = Servers.secrets.first(where: { text.contains($0) }) { note(.broken("an error shows \(secret)")) }
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
    guard !disk.isDead else { return }
    note(
      .sent(
        Sending(
          number: task.number, process: process, host: target?.origin.host ?? "", path: path,
          call: parts.first == "own" ? number : nil, resource: parts.first == "r" ? number : nil,
          hasStream: !task.request.body.isReplayable, needsNewConnection: task.request.needsNewConnection,
          token: task.request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) })))
  }

  func receive(_ task: WorldTask, from process: Int) -> Reply {
    guard !disk.isDead else { return Reply(reception: 0) }
    let (reception, reply) = servers.receive(
      task.request, number: task.number, process: process, plan: plan, now: scheduler.now)
    note(.received(reception))
    return reply
  }

  func noteAnswer(_ reply: Reply, _ result: Result<WebServiceResponse, TransportError>) {
    note(.answered(reception: reply.reception, status: try? result.get().statusCode))
  }

  /// Notes the events of requests.
  private struct Monitor: RequestMonitor {
    let world: World

    func record(_ event: RequestEvent) {
      let kind = "\(event.kind)".split(separator: " ").first.map(String.init) ?? ""
      world.note(.event(request: event.requestID, kind: kind, time: event.time))
    }
  }

  private struct Reachability: ReachabilityCheckable {
    let world: World
    func isConnected() -> Bool { world.isConnected }
  }
}
