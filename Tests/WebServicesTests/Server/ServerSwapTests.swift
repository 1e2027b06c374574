import Dispatch
@testable import WebServicesTestSupport

@testable import WebServicesHTTP
@testable import WebServices

@Suite(.timeLimit(.minutes(1)), .leavesNothing) struct ServerSwapTests {
  private static let count = 1_000

  /// The outcomes of requests, and whether one succeeded after the swap.
  private final class Outcomes: Sendable {
    let kinds = Collector<WebServiceError.Kind?>()
    private let state = Locked((isSwapped: false, lateSuccesses: 0))

    func swapped() { state.withLock { $0.isSwapped = true } }
    var lateSuccesses: Int { state.withLock { $0.lateSuccesses } }

    func take(_ result: Result<String, any Error>) {
      switch result {
      case .success:
        state.withLock { state in if state.isSwapped { state.lateSuccesses += 1 } }
        kinds.append(nil)
      case .failure(let error):
        kinds.append((error as? WebServiceError)?.kind ?? .unexpected)
      }
    }
  }

  private static let user = Server.Take<String>.custom { String(decoding: $0.body, as: UTF8.self) }

  private func ask(_ server: Server, path: String, times: Int, outcomes: Outcomes, on queue: DispatchQueue) {
    for _ in 0..<times {
      server.request(
        type: .get, path: path, take: Self.user, catch: .init { _ in "caught" }, callbackQueue: queue,
        completion: outcomes.take)
    }
  }

  /// A server that responds with the client's identity, at two speeds.
  private func slowServer(gate: LoopbackServer.Gate) throws -> LoopbackServer {
    let server = try LoopbackServer.forTest()
    let response: @Sendable (LoopbackServer.Request) -> LoopbackServer.Response = {
      .text($0.headers["X-User"] ?? "nobody")
    }
    server.route(.get, "/before-head") { response($0).beforeHead(.wait(gate)) }
    server.route(.get, "/at-once", response)
    return server
  }

  @Test func swapDuringResponsesGivesNoLateSuccess() async throws {
    let gate = LoopbackServer.Gate()
    let loopback = try slowServer(gate: gate)
    defer { loopback.stop() }
    let server = Server(with: .init(base: loopback.baseURL, headers: ["X-User": "former"]))
    let outcomes = Outcomes()
    let queue = DispatchQueue(label: "outcomes", attributes: .concurrent)
    ask(server, path: "at-once", times: Self.count / 2, outcomes: outcomes, on: queue)
    ask(server, path: "before-head", times: Self.count / 2, outcomes: outcomes, on: queue)
    await outcomes.kinds.waitForElements(Self.count / 4)
    gate.open()
    server.set(.init(base: loopback.baseURL, headers: ["X-User": "next"]))
    outcomes.swapped()
    await outcomes.kinds.waitForElements(Self.count)
    expectEqual(outcomes.lateSuccesses, 0)
    #expect(outcomes.kinds.elements.allSatisfy { $0 == nil || $0 == .cancelled })
    expectEqual(try await server.request(type: .get, path: "at-once", take: Self.user), "next")
  }

  @Test func swapInvalidatesTheMockSessionPastTheCatcher() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .never) }
    let server = Server(with: backend.config { $0.catcher = { _ in CancellationError() } })
    let outcomes = Outcomes()
    ask(server, path: "cities", times: Self.count, outcomes: outcomes, on: .global())
    let former = try #require(backend.session)
    await former.waitForRequests(Self.count)
    #expect(!former.isInvalidated)
    server.set(backend.config { $0.base = URL(string: "https://next.example.com/api") })
    #expect(former.isInvalidated)
    expectEqual(server.config.base?.host, "next.example.com")
    await outcomes.kinds.waitForElements(Self.count)
    #expect(outcomes.kinds.elements.allSatisfy { $0 == .cancelled })
    expectEqual(former.openTaskCount, 0)
    expectEqual(backend.sessions.elements.count, 2)
    expectEqual(backend.session?.isInvalidated, false)
    expectEqual(backend.clock.pendingTimerCount, 0)
  }

  @Test func swapCancelsWaitingAndRawRequests() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .never) }
    let server = Server(with: backend.config())
    let request = URLRequest(url: try #require(URL(string: "https://backend.example.com/api/cities")))
    let raw = Task { try await server.raw(with: request).0 }
    let taken = Task { try await server.request(type: .get, path: "cities", take: .data()) }
    await backend.session?.waitForRequests(2)
    server.set(backend.config())
    for outcome in [await raw.result, await taken.result] {
      #expect(throws: WebServiceError.self) { try outcome.get() }
    }
  }

  @Test
  @MainActor
  func responseReadDuringSwapIsNoSuccess() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1").delayed(by: 1)) }
    let server = Server(with: backend.config())
    for _ in 0..<50 {
      let read = DispatchSemaphore(value: 0)
      let kind = Task { @MainActor () -> WebServiceError.Kind? in
        do {
          _ = try await server.request(
            type: .get, path: "cities",
            take: .custom { _ in
              read.signal()
              return 1
            })
          return nil
        } catch {
          return (error as? WebServiceError)?.kind
        }
      }
      // The timers of the request's timeout and of the response's delay.
      await backend.clock.waitForTimers(2)
      // The main actor is blocked from here until the response has been read on another thread.
      backend.clock.advance(by: 1)
      read.waitWithoutSuspending()
      server.set(backend.config())
      expectEqual(await kind.value, .cancelled)
    }
  }

  @Test func swappedConfigurationGivesNoSuccess() throws {
    let connection = ServerConnection(MockBackend { _ in }.config())
    expectEqual(try connection.current(1, .put, "cities"), 1)
    connection.end(connection.stop())
    let error = #expect(throws: WebServiceError.self) { try connection.current(1, .put, "cities") }
    expectEqual(error?.kind, .cancelled)
  }

  /// Sends a request with one of the two forms.
  private func request(
    _ server: Server, withCompletion: Bool, catch catcher: Server.Catcher<Data>? = nil
  ) async throws -> Data {
    guard withCompletion else {
      return try await server.request(type: .get, path: "cities", take: .data(), catch: catcher)
    }
    return try await withCheckedThrowingContinuation { continuation in
      server.request(type: .get, path: "cities", take: .data(), catch: catcher, callbackQueue: .global()) { result in
        continuation.resume(with: result)
      }
    }
  }

  private static let failing = MockBackend { session in
    session.script(.get, "/api/cities", .status(402))
  }

  @Test(arguments: [false, true])
  func taskOfACatcherUsesTheNextConfiguration(withCompletion: Bool) async throws {
    let next = MockBackend { $0.script(.get, "/api/cities", .json("2")) }
    let server = Server(with: Self.failing.config())
    let later = Collector<Task<Data, any Error>>()
    let catcher = Server.Catcher<Data> { error in
      server.set(next.config())
      later.append(Task { try await server.request(type: .get, path: "cities", take: .data()) })
      throw error
    }
    let error = await #expect(throws: WebServiceError.self) {
      try await request(server, withCompletion: withCompletion, catch: catcher)
    }
    // The catcher's own error, also after its swap.
    expectEqual(error?.kind, .statusCode(402))
    expectEqual(try await later.elements.first?.value, Data("2".utf8))
  }

  @Test(arguments: [false, true])
  func valueOfACatcherAfterASwapIsNoSuccess(withCompletion: Bool) async throws {
    let server = Server(with: Self.failing.config())
    let catcher = Server.Catcher<Data> { _ in
      server.set(Self.failing.config())
      return Data()
    }
    let error = await #expect(throws: WebServiceError.self) {
      try await request(server, withCompletion: withCompletion, catch: catcher)
    }
    expectEqual(error?.kind, .cancelled)
  }

  @Test func taskOfAReleasedServerUsesTheServerAtItsAddress() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1")) }
    let (next, tasks) = (Watched<Server?>(nil), Collector<Task<String?, any Error>>())
    let take = Server.Take<Data>.custom { response in
      // A task that begins in the request, and sends later.
      tasks.append(
        Task {
          await next.wait { $0 != nil }
          let taken = try await next.withLock { $0 }?.request(
            type: .get, path: "cities", take: .response(with: .data()))
          return taken?.0.url?.host
        })
      return response.body
    }
    var (servers, isFound) = ([Server](), false)
    // The memory of a released object is often given to the next one.
    for _ in 0..<500 where !isFound {
      weak var former: Server?
      var address: ObjectIdentifier?
      do {
        let server = Server(with: backend.config())
        (former, address) = (server, ObjectIdentifier(server))
        let done = Collector<Void>()
        server.request(type: .get, path: "cities", take: take, callbackQueue: .global()) { _ in done.add() }
        await done.waitForElements(1)
      }
      while former != nil { await Task.yield() }
      servers.append(Server(with: backend.config { $0.base = URL(string: "https://next.example.com/api") }))
      isFound = servers.last.map(ObjectIdentifier.init) == address
    }
    next.withLock { $0 = servers.last }
    for task in tasks.elements { expectEqual(try await task.value, "next.example.com") }
  }

  @Test func manySwapsLeaveOneSession() async throws {
    let backend = MockBackend { $0.script(.get, "/api/cities", .json("1")) }
    let server = Server(with: backend.config())
    await concurrently(200) { _ in
      server.request(type: .get, path: "cities", take: .data(), callbackQueue: .global()) { _ in }
      server.set(backend.config())
    }
    expectEqual(backend.sessions.elements.count, 201)
    expectEqual(backend.sessions.elements.filter { !$0.isInvalidated }.count, 1)
    expectEqual(try await server.request(type: .get, path: "cities", take: .data()), Data("1".utf8))
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
    await results.waitForElements(1)
    expectEqual(results.elements, [Data("1".utf8)])
    await session.waitUntilInvalidated()
  }
}

extension DispatchSemaphore {
  fileprivate func waitWithoutSuspending() { wait() }
}
