import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

@Suite(.timeLimit(.minutes(1)))
struct RetryAfterRedirectTests {
  private static let city = City(name: "Bath")

  private func bench(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), retry: RetryPolicy = .none,
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager) { configuration in
      configuration.retry = retry
      configure(&configuration)
    }
  }

  private func post(_ authorization: WebServiceAuthorizationType = .none) -> TestRequest {
    TestRequest(
      path: "https://api.example.com/orders", method: .post, body: ["name": "Bath"], authorization: authorization)
  }

  /// The method and the path of each transfer.
  private func steps(_ bench: HeldBench) -> [String] {
    bench.session.exchanges.map { "\($0.request.httpMethod ?? "") \($0.path)" }
  }

  private func credentials(_ bench: HeldBench) -> [String?] {
    bench.session.exchanges.map { $0.request.value(forHTTPHeaderField: "Authorization") }
  }

  private func redirect(_ bench: HeldBench, _ status: Int = 303, to location: String = "/orders/1") async {
    bench.session.open.first?.answer(status, ["Location": location])
    await bench.passAppCode()
  }

  private func fail(_ bench: HeldBench, _ status: Int = 503, seconds: TimeInterval = 1) async {
    bench.session.open.first?.answer(status)
    bench.clock.advance(by: seconds)
    await bench.passAppCode()
  }

  private func expectCity(_ bench: HeldBench, _ results: Collector<WebServiceResult<City>>) async {
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [Self.city])
    bench.expectNothingLeft()
  }

  @Test func staleConnectionRepeatsRedirectedStep() async {
    let bench = bench()
    let (_, results) = bench.send(post())
    await redirect(bench)
    var error = TransportError(.connectionLost, message: "closed", mayHaveReachedServer: true)
    error.isStaleConnection = true
    bench.session.open.first?.fail(error)
    await bench.passAppCode()
    #expect(steps(bench) == ["POST /orders", "GET /orders/1", "GET /orders/1"])
    #expect(bench.session.open.first?.request.httpBody == nil)
    await expectCity(bench, results)
  }

  @Test func policyRepeatsRedirectedStep() async {
    let bench = bench(retry: .standard)
    let (_, results) = bench.send(post(.bearer))
    await redirect(bench)
    await fail(bench)
    await fail(bench)
    #expect(steps(bench) == ["POST /orders"] + Array(repeating: "GET /orders/1", count: 3))
    #expect(credentials(bench) == Array(repeating: "Bearer fake-token", count: 4))
    await expectCity(bench, results)
  }

  @Test func renewalRepeatsRedirectedStep() async {
    let manager = ReplacingTokenManager()
    let bench = bench(tokenManager: manager)
    let (_, results) = bench.send(post(.bearer))
    await redirect(bench)
    bench.session.open.first?.answer(401)
    await bench.passAppCode()
    #expect(steps(bench) == ["POST /orders", "GET /orders/1", "GET /orders/1"])
    #expect(credentials(bench) == ["Bearer token-0", "Bearer token-0", "Bearer token-1"])
    #expect(manager.refused.elements == ["token-0"])
    await expectCity(bench, results)
  }

  @Test(arguments: [307, 308])
  func repeatabilityIsTheStepsOwn(status: Int) async {
    for (method, attempts) in [(HTTPMethod.post, 1), (.put, 2)] {
      let bench = bench(retry: RetryPolicy(maximumAttempts: 2))
      var request = post()
      request.method = method
      let (_, results) = bench.send(request)
      await redirect(bench, status)
      await fail(bench)
      let again = attempts == 2 ? ["\(method) /orders/1"] : []
      #expect(steps(bench) == ["\(method) /orders", "\(method) /orders/1"] + again)
      let bodies = bench.session.exchanges.map(\.request.httpBody)
      #expect(bodies.allSatisfy { $0 != nil && $0 == bodies.first })
      bench.session.open.first?.answer()
      await bench.settle()
      #expect(results.elements.first?.error?.kind == (attempts == 1 ? .statusCode(503) : nil))
      bench.expectNothingLeft()
    }
  }

  @Test func otherOriginGetsNoCredentials() async {
    let manager = FakeTokenManager()
    let bench = bench(tokenManager: manager, retry: .standard)
    let (_, results) = bench.send(post(.bearer))
    await redirect(bench, to: "https://files.example.com/1")
    await fail(bench)
    // A redirect back to the first origin changes nothing.
    await redirect(bench, to: "https://api.example.com/2")
    await fail(bench)
    #expect(steps(bench) == ["POST /orders", "GET /1", "GET /1", "GET /2", "GET /2"])
    #expect(bench.session.exchanges.map { $0.request.url?.host?.first } == ["a", "f", "f", "a", "a"])
    #expect(credentials(bench) == ["Bearer fake-token", nil, nil, nil, nil])
    #expect(manager.requestedTypes == [.bearer])
    await expectCity(bench, results)
  }

  @Test func signaturesAreMadeForTheStep() async {
    let bench = bench(retry: .standard)
    let signer = RequestSigner(named: "test", needsToken: false) { request, _ in
      #expect(request.headers["Authorization"] == nil)
      return ["Authorization": "\(request.method) \(request.url.path)"]
    }
    let (_, results) = bench.send(post(.custom(signer)))
    await redirect(bench)
    await fail(bench)
    #expect(credentials(bench) == ["POST /orders", "GET /orders/1", "GET /orders/1"])
    await expectCity(bench, results)
  }

  @Test func redirectsAreCountedAcrossRetries() async {
    let bench = bench(retry: RetryPolicy(maximumAttempts: 9)) { $0.redirects = RedirectPolicy(limit: 2) }
    let (_, results) = bench.send("0")
    for step in 1...3 {
      await fail(bench, seconds: 30)
      await redirect(bench, to: "/\(step)")
    }
    await bench.settle()
    let error = results.elements.first?.error?.underlying(as: RedirectError.self)
    #expect(error?.reason == .tooMany)
    #expect(error?.chain.map(\.path) == ["/0", "/1", "/2"])
    #expect(bench.session.exchanges.map(\.path) == ["/0", "/0", "/1", "/1", "/2", "/2"])
    bench.expectNothingLeft()
  }

  @Test func circleIsFoundAcrossRetries() async {
    let bench = bench(retry: .standard)
    let (_, results) = bench.send("0")
    await redirect(bench, to: "/1")
    await fail(bench)
    await redirect(bench, to: "/0")
    await bench.settle()
    #expect(results.elements.first?.error?.underlying(as: RedirectError.self)?.reason == .loop)
    bench.expectNothingLeft()
  }

  @Test func retryHasTimeoutOfItsOwn() async {
    let bench = bench(retry: RetryPolicy(maximumAttempts: 2, backoff: Backoff(base: 1, factor: 1))) { $0.timeout = 10 }
    let (_, results) = bench.send("0")
    bench.clock.advance(by: 6)
    await redirect(bench, to: "/1")
    bench.clock.advance(by: 3.9)
    await fail(bench)
    #expect(bench.session.open.map(\.path) == ["/1"])
    bench.clock.advance(by: 9.9)
    #expect(results.elements.isEmpty)
    bench.clock.advance(by: 0.2)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.timedOut])
    bench.expectNothingLeft()
  }

  @Test func monitorsSeeTheStep() async {
    let bench = bench(retry: RetryPolicy(maximumAttempts: 2))
    var request = TestRequest(path: "https://api.example.com/0?token=s3cr3t-query", authorization: .bearer)
    request.headers["Cookie"] = "session=s3cr3t-cookie"
    let (_, results) = bench.send(request)
    await redirect(bench, to: "https://other.example.com/1?a=s3cr3t-query&b=fake-token&c=s3cr3t-cookie")
    await fail(bench)
    bench.session.open.first?.answer(500)
    await bench.settle()
    let last = bench.events.elements.drop { $0.kind.word != "redirected" }.dropFirst()
    #expect(last.map(\.kind.word).filter { $0 == "retried" } == ["retried"])
    #expect(last.allSatisfy { "\($0.url)".hasPrefix("https://other.example.com/1") })
    let texts = bench.events.elements.map { "\($0)" } + results.elements.map { "\($0)" }
    #expect(!texts.contains { $0.contains("s3cr3t") || $0.contains("fake-token") })
    bench.expectNothingLeft()
  }

  @Test(arguments: [303, 302])
  func postArrivesOnceAfterAClosedRedirect(status: Int) async throws {
    let stage = try ServiceStage(TransportKind.own[0])
    let redirect = LoopbackServer.Response.redirect(to: "/orders/1", status: status)
    stage.server.route(.post, "/orders", redirect.thenSwallowingNextRequest().then(.close))
    stage.server.route(.get, "/orders/1", .json(#"{"name": "Bath"}"#))
    let request = TestRequest(path: "orders", method: .post, body: ["name": "Bath"])
    #expect(try await stage.service.sendRequest(request) == Self.city)
    #expect(stage.server.requests.map(\.path) == ["/orders", "/orders/1", "/orders/1"])
    #expect(stage.server.requests(.post).count == 1)
  }
}
