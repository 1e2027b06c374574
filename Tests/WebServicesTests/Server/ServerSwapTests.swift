import Dispatch
@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServices

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct ServerSwapTests {
  private static let count = 1_000
  private static let user = Server.Take<String>.custom { String(decoding: $0.body, as: UTF8.self) }

  /// The errors of requests; `nil` for a success.
  private let kinds = Collector<WebServiceError.Kind?>()

  @discardableResult
  private func ask(
    _ server: Server, path: String, times: Int, on queue: DispatchQueue = .global(),
    _ took: @escaping @Sendable (WebServiceError.Kind?) -> Void = { _ in }
  ) -> [WebServiceTask] {
    (0..<times).map { _ in
      server.request(
        type: .get, path: path, take: Self.user, catch: .init { _ in "caught" }, callbackQueue: queue
      ) { [kinds] result in
        let kind = result.failure.map { ($0 as? WebServiceError)?.kind ?? .unexpected }
        took(kind)
        kinds.append(kind)
      }
    }
  }

  @Test func swapDuringResponsesGivesNoLateSuccess() async throws {
    let (gate, isSwapped, lateSuccesses) = (LoopbackServer.Gate(), Locked(false), Locked(0))
    let loopback = try LoopbackServer.forTest()
    loopback.route(.get, "/before-head") { .text($0.headers["X-User"] ?? "nobody").beforeHead(.wait(gate)) }
    loopback.route(.get, "/at-once") { .text($0.headers["X-User"] ?? "nobody") }
    let server = Server(with: .init(base: loopback.baseURL, headers: ["X-User": "former"]))
    let queue = DispatchQueue(label: "outcomes", attributes: .concurrent)
    for path in ["at-once", "before-head"] {
      ask(server, path: path, times: Self.count / 2, on: queue) { kind in
        isSwapped.withLock { if $0, kind == nil { lateSuccesses.withLock { $0 += 1 } } }
      }
    }
    await kinds.waitForElements(Self.count / 4)
    gate.open()
    server.set(.init(base: loopback.baseURL, headers: ["X-User": "next"]))
    isSwapped.withLock { $0 = true }
    await kinds.waitForElements(Self.count)
    expectEqual(lateSuccesses.withLock { $0 }, 0)
    #expect(kinds.elements.allSatisfy { $0 == nil || $0 == .cancelled })
    expectEqual(try await server.request(type: .get, path: "at-once", take: Self.user), "next")
  }

  @Test(arguments: [true, false])
  func successesThatWaitForTheirQueueDuringASwapOrACancelAreCancelled(swaps: Bool) async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1")) }
    let server = Server(with: backend.config())
    let queue = DispatchQueue(label: "outcomes")
    queue.suspend()
    let tasks = ask(server, path: "cities", times: 50, on: queue)
    await backend.session?.waitForRequests(50)
    while server.requestCount > 0 { await Task.yield() }
    if swaps { server.set(backend.config()) } else { tasks.forEach { $0.cancel() } }
    queue.resume()
    await kinds.waitForElements(50)
    #expect(kinds.elements.allSatisfy { $0 == .cancelled })
  }

  @Test func swapEndsEveryRequestPastTheCatcher() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .never) }
    let server = Server(with: backend.config { $0.catcher = { _ in CancellationError() } })
    ask(server, path: "cities", times: Self.count)
    let request = URLRequest(url: try #require(URL(string: "https://backend.example.com/api/cities")))
    let raw = Task { try await server.raw(with: request).0 }
    let taken = Task { try await server.request(type: .get, path: "cities", take: .data()) }
    let former = try #require(backend.session)
    await former.waitForRequests(Self.count + 2)
    #expect(!former.isInvalidated)
    server.set(backend.config { $0.base = URL(string: "https://next.example.com/api") })
    #expect(former.isInvalidated)
    expectEqual(server.config.base?.host, "next.example.com")
    await kinds.waitForElements(Self.count)
    #expect(kinds.elements.allSatisfy { $0 == .cancelled })
    for outcome in [await raw.result, await taken.result] {
      expectEqual((outcome.failure as? WebServiceError)?.kind, .cancelled)
    }
    expectEqual(former.openTaskCount, 0)
    expectEqual(backend.sessions.elements.map(\.isInvalidated), [true, false])
    expectEqual(backend.clock.pendingTimerCount, 0)
  }

  @Test(arguments: [false, true])
  @MainActor
  func responseReadDuringSwapIsCancelled(isBad: Bool) async throws {
    for _ in 0..<50 {
      // A clock of its own: a late timer of the request before would count for the wait below.
      let backend = MockBackend { $0.script(.get, "/api/cities", .json("1").delayed(by: 1)) }
      let server = Server(with: backend.config())
      let read = DispatchSemaphore(value: 0)
      let result = Task { @MainActor in
        try await server.request(
          type: .get, path: "cities",
          take: .custom { _ in
            read.signal()
            if isBad { throw CancellationError() }
          })
      }
      // The timers of the request's timeout and of the response's delay.
      await backend.clock.waitForTimers(2)
      // The main actor is blocked from here until the response has been read on another thread.
      backend.clock.advance(by: 1)
      read.waitWithoutSuspending()
      server.set(backend.config())
      expectEqual((await result.result.failure as? WebServiceError)?.kind, .cancelled)
    }
  }

  /// Sends a request with one of the two forms.
  private func request(
    _ server: Server, withCompletion: Bool, catch catcher: Server.Catcher<Data>
  ) async throws -> Data {
    let path = "cities?shop=s3cr3t"
    guard withCompletion else {
      return try await server.request(type: .get, path: path, take: .data(), catch: catcher)
    }
    return try await withCheckedThrowingContinuation { continuation in
      server.request(type: .get, path: path, take: .data(), catch: catcher, callbackQueue: .global()) { result in
        continuation.resume(with: result)
      }
    }
  }

  @Test(arguments: [false, true])
  func swapOfACatcherCancelsItsRequestOnly(withCompletion: Bool) async throws {
    let former = MockBackend { $0.script(.get, "/api/cities", .status(402)) }
    let next = MockBackend { $0.script(.get, "/api/cities", .json("2")) }
    let later = Collector<Task<Data, any Error>>()
    // The catcher's own error stays, and its value is no success.
    for (throwsError, kind) in [(true, WebServiceError.Kind.statusCode(402)), (false, .cancelled)] {
      let server = Server(
        with: former.config { config in config.service = { $0.redaction = Redaction(fieldNames: ["shop"]) } })
      let catcher = Server.Catcher<Data> { error in
        server.set(next.config())
        later.append(Task { try await server.request(type: .get, path: "cities", take: .data()) })
        guard !throwsError else { throw error }
        return Data()
      }
      let error = await thrown { try await request(server, withCompletion: withCompletion, catch: catcher) }
      expectEqual(error?.kind, kind)
      expectEqual(error?.description.contains("s3cr3t"), false)
    }
    for task in later.elements { expectEqual(try await task.value, Data("2".utf8)) }
  }

  /// Asks another server before each request.
  private final class AskingServer: Server, @unchecked Sendable {
    private let other: Server

    init(with config: Config, other: Server) {
      self.other = other
      super.init(with: config)
    }

    override func request<R: Sendable>(
      type: Server.Method, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
      query: [String: String], send: Server.Send, take: Server.Take<R>, catch catcher: Server.Catcher<R>?,
      isolation: isolated (any Actor)?
    ) async throws -> R {
      try await other.request(type: .get, path: "key", take: .void())
      return try await super.request(
        type: type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send, take: take,
        catch: catcher, isolation: isolation)
    }
  }

  @Test func overrideMayAskAnotherServer() async throws {
    let backend = MockBackend { session in
      for path in ["key", "cities"] { session.script(.get, "/api/\(path)", .json("1")) }
    }
    let other = Server(with: backend.config())
    let server = AskingServer(with: backend.config(), other: other)
    let results = Collector<Result<Data, any Error>>()
    server.request(type: .get, path: "cities", take: .data(), callbackQueue: .global()) { results.append($0) }
    expectEqual(try await results.elements(1).first?.get(), Data("1".utf8))
    expectEqual(
      backend.sessions.elements.map { $0.requests.map { $0.url?.lastPathComponent } }, [["key"], ["cities"]])
  }

  @Test func releasedServerEndsItsSession() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1").delayed(by: 1)) }
    let results = Collector<Data?>()
    do {
      let server = Server(with: backend.config())
      server.request(type: .get, path: "cities", take: .data(), callbackQueue: .global()) { result in
        results.append(try? result.get())
      }
    }
    let session = try #require(backend.session)
    await backend.clock.waitForTimer(after: 1)
    backend.clock.advance(by: 1)
    expectEqual(await results.elements(1), [Data("1".utf8)])
    await session.waitUntilInvalidated()
  }

  @Test func releasedServerLeavesTheCookiesToOtherServersOfTheUser() async throws {
    let jar = CookieJar()
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1", headers: ["Set-Cookie": "sid=1"])) }
    let config = backend.config { config in config.service = { $0.layers = [.cookies(jar)] } }
    let kept = Server(with: config)
    do {
      let released = Server(with: config)
      _ = try await released.request(type: .get, path: "cities", take: .data())
    }
    await backend.session?.waitUntilInvalidated()
    _ = try await kept.request(type: .get, path: "cities", take: .data())
    let requests = try #require(backend.sessions.elements.first).requests
    expectEqual(requests.map { $0.value(forHTTPHeaderField: "Cookie") }, ["sid=1"])
  }
}

extension DispatchSemaphore {
  fileprivate func waitWithoutSuspending() { wait() }
}
