@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct CookieSessionTests {
  private let url = testURL("https://api.example.com/a")
  private let jar = CookieJar()

  /// A harness whose first layer keeps cookies.
  private func harness(_ inner: any SessionLayer...) -> VirtualHarness<HeldSession> {
    VirtualHarness.held { $0.layers = [.cookies(jar)] + inner }
  }

  private func cookies(_ harness: VirtualHarness<HeldSession>) -> [String?] {
    harness.session.transfers.map { $0.request.headers["Cookie"] }
  }

  @Test func cookiesAreSentOnlyToTheirHost() {
    let harness = harness()
    harness.transfer()
    harness.session.open.first?.respond(
      200, HTTPHeaders([.init(name: "Set-Cookie", value: "a=1"), .init(name: "set-cookie", value: "b=2")]))
    harness.transfer("b")
    harness.transfer(host: "www.example.com")
    harness.transfer { $0.headers["Cookie"] = "own=1" }
    expectEqual(cookies(harness), [nil, "a=1; b=2", nil, "own=1"])
    expectEqual(harness.session.transfers.last?.request.headers.values(for: "Cookie").count, 1)
    harness.session.respondToAll()
  }

  @Test func failedAndStreamedResponsesSetCookiesButAnotherHostsDoesNot() {
    let harness = harness()
    harness.transfer()
    var head = WebServiceResponse(statusCode: 200, headers: ["Set-Cookie": "a=1"], url: url)
    harness.session.open.first?.complete(
      with: .failure(TransportError(.truncated, message: "", mayHaveReachedServer: true, response: head)))
    expectEqual(jar.count, 1)
    harness.transfer()
    head.url = testURL("https://evil.example.net/")
    head.headers = ["Set-Cookie": "evil=1"]
    harness.session.open.first?.complete(with: .success(head))
    expectEqual(jar.count, 1)
    harness.transfer { $0.receiver = SlowReceiver(isLetGo: true) }
    harness.session.open.first?.respond(200, ["Set-Cookie": "b=1"])
    expectEqual(jar.count, 2)
    // The cookie of a long stream is sent during the stream, and replaces no cookie that came since.
    harness.transfer { $0.receiver = SlowReceiver(isLetGo: true) }
    let stream = harness.session.open.first
    (head.url, head.headers) = (url, ["Set-Cookie": "a=2"])
    stream?.request.receiver?.didReceive(head: head)
    expectEqual(jar.cookies(for: url).map(\.value), ["2", "1"])
    jar.store("a=3", from: url)
    stream?.complete(with: .failure(.sent(.truncated, "", response: head)))
    expectEqual(jar.cookies(for: url).map(\.value), ["3", "1"])
    // A session may pass on no head, as for a redirect with a long body.
    harness.transfer { $0.receiver = SlowReceiver(isLetGo: true) }
    harness.session.open.first?.complete(with: .failure(.sent(.truncated, "", response: head)))
    expectEqual(jar.cookies(for: url).map(\.value), ["2", "1"])
    // A response to the former user sets none.
    harness.transfer()
    jar.removeAll()
    harness.session.open.first?.respond(200, ["Set-Cookie": "late=1"])
    expectEqual(jar.count, 0)
  }

  @Test(arguments: [[], [.circuitBreaker(.standard)], [.limits(RequestLimits())]] as [[any SessionLayer]])
  func onlyTheValueOfASetCookieIsASecret(outerLayers: [any SessionLayer]) async {
    let harness = VirtualHarness.scripted { $0.layers = outerLayers + [.cookies(CookieJar())] }
    let fields = ["theme=; Path=/", "sid=darkness"].map { HTTPHeaders.Field(name: "Set-Cookie", value: $0) }
    harness.session.script(
      .get, "/cities", .data(Data("theme is darkness".utf8), status: 404, headers: HTTPHeaders(fields)))
    let error = await thrown { try await harness.service.sendRequest(TestRequest(), parser: .nothing) }
    expectEqual(error?.description.contains("theme is <redacted>"), true)
  }

  @Test func cachedResponseNeedsTheSameCookiesAndSetsNone() {
    let harness = harness(.cache(ResponseCache()))
    jar.store("user=1", from: url)
    harness.transfer()
    harness.session.open.first?.respond(
      200, ["Cache-Control": "private, max-age=60", "Set-Cookie": "user=1"], body: "mine")
    expectEqual(harness.transfer().response?.body, Data("mine".utf8))
    expectEqual(harness.session.transfers.count, 1)
    jar.removeAll()
    jar.store("user=2", from: url)
    #expect(harness.transfer().response == nil)
    expectEqual(harness.session.transfers.count, 2)
    harness.session.open.first?.respond()
    expectEqual(jar.cookies(for: url).map(\.value), ["2"])
  }

  @Test func noCallerOfASharedTransferShowsACookieOfItsRequestOrResponse() async {
    let harness = harness(.coalescing)
    jar.store("former=\"brightness\"", from: url)
    let callers = (0..<2).map { _ in harness.send().results }
    harness.session.open.first?.respond(
      403, ["Set-Cookie": "sid=darkness"], body: "you sent brightness, your session is darkness")
    await harness.settle()
    for results in callers {
      let text = printedTexts(of: results.elements.first?.error as Any)
      #expect(text.contains("your session is") && !text.contains("darkness") && !text.contains("brightness"))
    }
    expectEqual(cookies(harness), ["former=\"brightness\""])
  }

  @Test(arguments: [[], [.coalescing]] as [[any SessionLayer]])
  func refreshInTheBackgroundSetsCookies(outerLayers: [any SessionLayer]) async {
    let wall = WallClock()
    let cache = ResponseCache(MemoryResponseStore()) { wall.now }
    let harness = VirtualHarness.held { $0.layers = [.cookies(jar)] + outerLayers + [.cache(cache)] }
    for value in ["1", "2"] {
      // The jar's cookie belongs to the cache's key, so the cookie of the test has another path.
      harness.transfer()
      harness.session.open.first?.respond(
        200,
        [
          "Cache-Control": "max-age=60, stale-while-revalidate=600", "Date": HTTPDate.string(from: wall.now),
          "Set-Cookie": "sid=\(value); Path=/elsewhere",
        ])
      wall.advance(by: 61)
    }
    expectEqual(jar.cookies(for: testURL("https://api.example.com/elsewhere")).map(\.value), ["2"])
  }

  @Test func cookieLayerBehindCacheOrCoalescingFailsRequests() async throws {
    for first in [[.cache(ResponseCache())], [.coalescing], [.cookies(CookieJar()), .coalescing]]
      as [[any SessionLayer]]
    {
      let harness = VirtualHarness.scripted { $0.layers = first + [.cookies(CookieJar())] }
      let error = await thrown { try await harness.service.sendRequest(TestRequest(), parser: .nothing) }
      #expect(error?.kind == .invalidRequest && error?.message.contains("put it first") == true)
      #expect(harness.session.requests.isEmpty)
    }
  }
}
