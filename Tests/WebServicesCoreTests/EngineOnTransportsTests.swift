import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The engine over real sockets, for behavior that needs both a transport and a server.
@Suite(.leavesNothing) struct EngineOnTransportsTests {
  /// A harness on the real clock, because these tests measure timeouts.
  private func harness(
    _ kind: TransportKind, tokenManager: any WebServiceTokenManageable = FakeTokenManager(token: "s3cr3t-token"),
    timeout: TimeInterval = 30
  ) throws -> SocketHarness {
    try SocketHarness(kind, tokenManager: tokenManager) { configuration in
      configuration.clock = SystemClock.shared
      configuration.timeout = timeout
      configuration.redaction = Redaction(headerNames: ["X-Own"])
    }
  }

  private static let city = LoopbackServer.Response.json(#"{"name": "Bath"}"#)

  @Test(arguments: TransportKind.own)
  func postArrivesWholeAndReturnsAModel(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.post, "/cities", Self.city)
    let request = TestRequest(
      path: "cities", method: .post, queryItems: [URLQueryItem(name: "q", value: "a+b ü")],
      body: .json(City(name: "Bath")), authorization: .apiToken)
    #expect(try await harness.service.sendRequest(request) == City(name: "Bath"))
    let received = try #require(harness.server.requests.first)
    #expect(received.query("q") == "a+b ü")
    #expect(received.headers["api-token"] == "s3cr3t-token")
    #expect(received.headers.values(for: "content-type") == ["application/json"])
    #expect(try JSONDecoder().decode(City.self, from: received.body) == City(name: "Bath"))
    #expect(harness.service.requestCount == 0)
  }

  @Test(
    arguments: TransportKind.own, [307, 308])
  func redirectToSameOriginKeepsMethodBodyAndSecrets(kind: TransportKind, status: Int) async throws {
    let harness = try harness(kind)
    harness.server.route(.put, "/old", .redirect(to: "new?x=1", status: status))
    harness.server.route(.put, "/new", Self.city)
    let request = TestRequest(
      path: "old", method: .put, body: .json(City(name: "Bath")), authorization: .bearer)
    #expect(try await harness.service.sendRequest(request) == City(name: "Bath"))
    let received = try #require(harness.server.requests(.put, "/new").first)
    #expect(received.headers["Authorization"] == "Bearer s3cr3t-token")
    #expect(received.body == (try JSONEncoder().encode(City(name: "Bath"))))
  }

  @Test(arguments: TransportKind.own)
  func redirectToAnotherOriginDropsSecrets(kind: TransportKind) async throws {
    let harness = try harness(kind)
    let other = try LoopbackServer.forTest()
    harness.server.route(.get, "/old", .redirect(to: other.url("/new").absoluteString))
    other.route(.get, "/new", Self.city)
    let request = TestRequest(
      path: "old", headers: ["Cookie": "s3cr3t", "X-Own": "s3cr3t", "Accept-Language": "de"],
      authorization: .header(named: "X-Session"))
    #expect(try await harness.service.sendRequest(request) == City(name: "Bath"))
    #expect(harness.server.requests.first?.headers["X-Session"] == "s3cr3t-token")
    let received = try #require(other.requests.first)
    #expect(received.headers["Accept-Language"] == "de")
    #expect(!received.headers.contains { $0.value.contains("s3cr3t") })
  }

  @Test(arguments: TransportKind.own)
  func endlessRedirectsEndAtTheLimit(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.get, "/n/:count") { request in
      .redirect(to: "/n/\((request.parameters["count"].flatMap { Int($0) } ?? 0) + 1)")
    }
    let tooMany = try await harness.error(of: TestRequest(path: "n/0"))
    #expect(tooMany.kind == .redirect)
    let chain = try #require(tooMany.underlying as? RedirectPolicy.Refusal).chain
    #expect(chain.count == 21)
    #expect(chain.last?.path == "/n/20")
    #expect(harness.server.requests.count == 21)
    #expect(tooMany.attemptCount == 1)
    harness.server.route(.get, "/circle", .redirect(to: "/circle"))
    let circle = try await harness.error(of: TestRequest(path: "circle"))
    #expect((circle.underlying as? RedirectPolicy.Refusal)?.reason == .loop)
  }

  @Test(arguments: TransportKind.own)
  func redirectsCanBeSwitchedOff(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.get, "/old", .redirect(to: "/new"))
    let error = try await harness.error(
      of: TestRequest(path: "old", options: RequestOptions { $0.redirects = .doNotFollow }))
    #expect(error.kind == .statusCode(302))
    #expect(error.response?.headers["Location"] == "/new")
    #expect(harness.server.requests.count == 1)
  }

  @Test(arguments: TransportKind.own)
  func challengeOfAnySchemeFailsWithStatus401(kind: TransportKind) async throws {
    let harness = try harness(kind)
    for (index, challenge) in [
      #"Basic realm="test""#, #"Digest realm="test", nonce="6d3f1a""#, "Bearer", "Negotiate", "Feather",
    ].enumerated() {
      harness.server.route(.get, "/\(index)", .unauthorized(challenge))
      let error = try await harness.error(of: TestRequest(path: "\(index)"))
      #expect(error.kind == .statusCode(401))
      #expect(error.response?.headers["WWW-Authenticate"] != nil)
    }
  }

  @Test(arguments: TransportKind.own)
  func stalledResponseFailsAtTheTimeout(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.get, "/head", [.never])
    harness.server.route(.get, "/body", .raw("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"name\"", then: .never))
    for path in ["head", "body"] {
      let (kind, seconds) = await harness.timedError(
        of: TestRequest(path: path, options: RequestOptions { $0.timeout = 0.15 }))
      #expect(kind == .timedOut)
      #expect(seconds >= 0.149)
      #expect(seconds < 5, "the machine may be busy, but this is no multiple of a second's timeout")
    }
  }

  @Test(arguments: TransportKind.own)
  func tokenIsRenewedOnceForAllWaiting(kind: TransportKind) async throws {
    let manager = BasicAuthManager(renewal: { RequestDataForRenewToken(apiToken: $0) })
    let harness = try harness(kind, tokenManager: manager)
    manager.update(apiToken: "old", secondsRemaining: 10)
    harness.server.route(.post, "/renew", .json(#"{"apiToken": "new", "secondsRemaining": 600}"#))
    harness.server.route(.get, "/cities", Self.city)
    let service = harness.service
    try await withThrowingTaskGroup(of: City?.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await service.sendRequest(TestRequest(path: "cities", authorization: .apiToken), as: City.self)
        }
      }
      for try await city in group { #expect(city == City(name: "Bath")) }
    }
    #expect(harness.server.requests(.post, "/renew").count == 1)
    #expect(Set(harness.server.requests(.get, "/cities").map { $0.headers["api-token"] }) == ["new"])
  }

  @Test(arguments: TransportKind.own)
  func resetCancelsOpenRequests(kind: TransportKind) async throws {
    // A busy machine may need longer than the usual timeout before the requests are cancelled.
    let harness = try harness(kind, timeout: 600)
    let gate = LoopbackServer.Gate()
    harness.server.route(.get, "/cities", Self.city.beforeHead(.wait(gate)))
    let kinds = Collector<WebServiceError.Kind?>()
    for _ in 0..<40 {
      harness.service.sendRequest(TestRequest(path: "cities"), callbackQueue: .global()) {
        (result: WebServiceResult<City>) in kinds.append(result.error?.kind)
      }
    }
    await gate.waitUntilReached(count: 40, timeout: 20)
    harness.service.invalidateAndCancel()
    await kinds.waitForElements(40)
    #expect(kinds.elements.allSatisfy { $0 == .cancelled })
    #expect(await harness.server.waitForOpenConnections(count: 0, timeout: 20))
    gate.open()
  }
}

extension SocketHarness {
  fileprivate func error(of request: TestRequest) async throws -> WebServiceError {
    try #require(await error { try await service.sendRequest(request, as: City.self) })
  }

  /// The error's kind, and the seconds until the error arrived. The completion measures the time, because other tests
  /// may keep the pool of Swift tasks busy.
  fileprivate func timedError(of request: TestRequest) async -> (kind: WebServiceError.Kind?, seconds: TimeInterval) {
    await withCheckedContinuation { continuation in
      let start = SystemClock.shared.now
      service.sendRequest(request, callbackQueue: DispatchQueue(label: "timed")) { (result: WebServiceResult<City>) in
        continuation.resume(returning: (result.error?.kind, SystemClock.shared.now - start))
      }
    }
  }
}
