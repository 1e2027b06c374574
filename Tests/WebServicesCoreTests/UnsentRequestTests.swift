import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesTransport
@testable import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct UnsentRequestTests {
  private static let city = City(name: "Bath")

  private func bench(
    places: Int = 1, retry: RetryPolicy = .none, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench { configuration in
      configuration.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: places))]
      configuration.retry = retry
      configuration.timeout = 10
      configure(&configuration)
    }
  }

  private func post(_ options: RequestOptions = RequestOptions()) -> TestRequest {
    TestRequest(
      path: "https://api.example.com/orders", method: .post, body: ["name": "Bath"], options: options)
  }

  @Test func timeoutInQueueIsRetried() async {
    let bench = bench(retry: RetryPolicy(maximumAttempts: 2))
    let (_, results) = bench.send(post())
    bench.send("other", options: RequestOptions { $0.timeout = 100 })
    // The redirected request has only the rest of the attempt's time, and another request holds the only permit.
    bench.session.open.first?.answer(307, ["Location": "/orders/1"])
    #expect(bench.session.exchanges.map(\.path) == ["/orders", "/other"])
    bench.clock.advance(by: 10)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer()
    #expect(bench.session.exchanges.map(\.path) == ["/orders", "/other", "/orders/1"])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [Self.city])
    bench.expectNothingLeft()
  }

  @Test func timeoutErrorNamesTheWait() async {
    let bench = bench()
    let (_, results) = bench.send(post())
    bench.send("other", options: RequestOptions { $0.timeout = 100 })
    bench.session.open.first?.answer(307, ["Location": "/orders/1"])
    bench.clock.advance(by: 10)
    await bench.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .timedOut)
    #expect(error?.underlying(as: TransportError.self)?.mayHaveReachedServer == false)
    #expect(
      error?.message
        == "the request was not sent: it waited for its turn, and api.example.com may be sent 1 requests at a time")
    // The step before the redirect was sent.
    #expect(error?.attemptCount == 1)
    bench.session.open.first?.answer()
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func endInQueueCountsNoAttempt() async {
    let bench = bench(places: 2)
    for index in 0..<2 { bench.send("\(index)", options: RequestOptions { $0.timeout = 100 }) }
    let late = bench.send("late", options: RequestOptions { $0.deadline = 5 })
    let cancelled = bench.send("cancelled")
    bench.clock.advance(by: 5)
    cancelled.task.cancel()
    await bench.settle()
    let errors = [late, cancelled].map(\.results.elements.first?.error)
    #expect(errors.map(\.?.kind) == [.timedOut, .cancelled])
    #expect(errors.map(\.?.attemptCount) == [0, 0])
    #expect(errors.allSatisfy { $0?.message.contains("may be sent 2 requests at a time") == true })
    #expect(errors.allSatisfy { $0.map { "\($0)".contains("0 attempts") } == true })
    bench.session.open.forEach { $0.answer() }
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func refusalsCountNoAttempt() async {
    let bench = bench(places: 9, retry: RetryPolicy(maximumAttempts: 3)) { configuration in
      let breaker = CircuitBreakerPolicy(failureRatio: 0.1, minimumVolume: 1)
      configuration.layers = [.cache(ResponseCache()), .circuitBreaker(breaker)] + configuration.layers
    }
    let first = bench.send("first")
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 1)
    let second = bench.send("second")
    bench.reachability.set(isConnected: false)
    let third = bench.send("third", host: "other.example.com")
    await bench.settle()
    let errors = [first, second, third].map(\.results.elements.first?.error)
    #expect(errors.map(\.?.kind) == [.circuitOpen, .circuitOpen, .noConnection])
    #expect(errors.map(\.?.attemptCount) == [1, 0, 0])
    bench.expectNothingLeft()
  }

  @Test func sharedExchangeIsTakenBackByTheLast() async {
    let bench = bench { $0.layers.insert(.coalescing, at: 0) }
    bench.send("other", options: RequestOptions { $0.timeout = 100 })
    let shared = [1, 2].map { (deadline: TimeInterval) in
      bench.send("shared", options: RequestOptions { $0.deadline = deadline })
    }
    bench.clock.advance(by: 2)
    await bench.settle()
    let messages = shared.map { $0.results.elements.first?.error?.message ?? "" }
    #expect(messages[0] == "the deadline passed")
    #expect(messages[1].contains("it waited for its turn"))
    bench.session.open.first?.answer()
    #expect(bench.session.exchanges.map(\.path) == ["/other"])
    await bench.settle()
    bench.expectNothingLeft()
  }

  /// Responds to the first transfers. The connections of the others are never made.
  private final class ConnectingSession: URLSessionProtocol {
    struct Task: WithdrawableTask {
      var run: @Sendable () -> Void = {}

      func resume() { run() }
      func withdraw() -> TransportWait? { .connecting }
    }

    private let responses: Locked<[WebServiceResponse]>

    init(_ responses: [WebServiceResponse]) {
      self.responses = Locked(responses)
    }

    func transferTask(
      with request: TransportRequest, completion: @escaping HeldTask.Completion
    ) -> any URLSessionTaskProtocol {
      guard let response = responses.withLock({ $0.popLast() }) else { return Task() }
      return Task { completion(.success(response)) }
    }

    func dataTask(
      with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> Task { Task() }

    func invalidateAndCancel() {}
  }

  @Test func cancelWhileConnectingCountsAsUnsent() async throws {
    let redirect = WebServiceResponse(statusCode: 307, headers: ["Location": "/b"], url: LayerBench.url)
    for responses in [[], [redirect]] {
      let service = JsonWebService(session: ConnectingSession(responses), reachability: FakeReachability())
      let results = Collector<WebServiceResult<City>>()
      service.sendRequest(post(), callbackQueue: .global()) { results.append($0) }
      service.invalidateAndCancel()
      await results.waitForElements(1)
      let error = try #require(results.elements.first?.error)
      #expect(error.kind == .cancelled && error.attemptCount == 1)
      #expect(error.message.hasSuffix("its connection had not been made yet"))
      let cause = error.underlying(as: TransportError.self)
      #expect(cause?.wait == (responses.isEmpty ? .connecting : nil))
      #expect(cause?.mayHaveReachedServer == (responses.isEmpty ? false : nil))
    }
  }

  #if os(Linux)
    private func stage(retry: RetryPolicy = .none) throws -> (ServiceStage, LoopbackServer.Gate) {
      var session = TransportConfiguration()
      session.proxy = .none
      session.connectionsPerHost = 1
      let stage = try ServiceStage(session: CurlSession(configuration: session)) { configuration in
        configuration.retry = retry
        configuration.random = .fixed(1)
      }
      let gate = LoopbackServer.Gate()
      stage.server.route(
        .get, "/held", LoopbackServer.Response([.wait(gate)] + LoopbackServer.Response.status(204).steps))
      stage.server.route(.post, "/orders", .json(#"{"name": "Bath"}"#))
      return (stage, gate)
    }

    private func hold(_ stage: ServiceStage, _ gate: LoopbackServer.Gate) async {
      stage.service.sendRequest(
        TestRequest(path: "held", options: RequestOptions { $0.timeout = 1000 }), callbackQueue: .global()
      ) { (_: WebServiceResult<City>) in }
      await gate.waitUntilReached()
    }

    /// Waits until the session has handled everything enqueued before.
    private func passSession(_ stage: ServiceStage) async throws {
      let other = try LoopbackServer()
      defer { other.stop() }
      other.route(.get, "/", .status(204))
      let request = TestRequest(path: other.url("/").absoluteString)
      try await stage.service.sendRequest(request, parser: .nothing)
    }

    @Test func timeoutBeforeConnectionIsRetried() async throws {
      let (stage, gate) = try stage(retry: RetryPolicy(maximumAttempts: 2))
      await hold(stage, gate)
      let results = Collector<WebServiceResult<City>>()
      stage.service.sendRequest(
        TestRequest(path: "orders", method: .post, body: ["name": "Bath"]), callbackQueue: .global()
      ) { results.append($0) }
      try await passSession(stage)
      stage.clock.advance(by: 30)
      await stage.clock.waitForTimer(after: 0.5)
      gate.open()
      stage.clock.advance(by: 0.5)
      await results.waitForElements(1)
      #expect(results.elements.map(\.model) == [Self.city])
      #expect(stage.server.requests(.post).count == 1)
    }

    @Test func bothTimersNameTheConnectionWait() async throws {
      let (stage, gate) = try stage()
      await hold(stage, gate)
      let origin = "http://127.0.0.1:\(stage.server.port)"
      let message = "the request was not sent: it waited for a connection, and \(origin) may have 1 at a time"
      let post = TestRequest(path: "orders", method: .post, body: ["name": "Bath"])
      let results = Collector<WebServiceResult<City>>()
      stage.service.sendRequest(post, callbackQueue: .global()) { results.append($0) }
      try await passSession(stage)
      stage.clock.advance(by: 30)
      await results.waitForElements(1)
      var hurried = post
      hurried.options.timeout = 0.05
      let hurriedError = await stage.error { try await stage.service.sendRequest(hurried, as: City.self) }
      let errors = [results.elements.first?.error, hurriedError]
      for error in errors {
        let transportError = error?.underlying(as: TransportError.self)
        #expect(error?.kind == .timedOut)
        #expect(error?.message == message)
        #expect(error?.attemptCount == 0)
        #expect(transportError?.kind == .timedOut(.whole))
        #expect(transportError?.mayHaveReachedServer == false)
      }
      gate.open()
      try await passSession(stage)
      #expect(stage.server.requests(.post).isEmpty)
    }

    @Test func withdrawnIsNeverSent() async throws {
      var configuration = TransportConfiguration()
      configuration.proxy = .none
      configuration.connectionsPerHost = 4
      let bench = try TransportBench(session: try CurlSession(configuration: configuration))
      bench.server.route(.post, "/*", .status(204))
      let withdrawn = Collector<String>()
      let ended = Collector<String>()
      await concurrently(400) { index in
        var request = TransportRequest(method: .post, url: bench.server.url("/\(index)"))
        request.body = .data(Data("x".utf8))
        let task = bench.session.transferTask(with: request) { _ in ended.append("/\(index)") }
        task.resume()
        for _ in 0..<(index % 40) * 50 { _ = ended.elements.count }
        if task.withdrawIfUnsent() != nil { withdrawn.append("/\(index)") }
      }
      await ended.waitForElements(400)
      let received = Set(bench.server.requests.map(\.path))
      #expect(received.isDisjoint(with: withdrawn.elements))
      #expect(received.count + withdrawn.elements.count == 400)
      #expect(!withdrawn.elements.isEmpty)
    }
  #endif
}
