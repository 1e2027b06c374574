@testable import WebServicesTestSupport
@testable import WebServicesTokens

@Suite(.leavesNothing) struct DigestServiceTests {
  private let credentials = DigestCredentials(user: "Mufasa", password: "Circle of Life") { "client" }
  private let path = "/dir/index.html"
  private static let city = MockResponse.json(#"{"name": "Bath"}"#)

  private static func refusal(_ nonce: String, isStale: Bool = false, algorithm: String = "MD5") -> MockResponse {
    let stale = isStale ? ", stale=true" : ""
    let challenge = #"Digest realm="The annex", qop="auth", algorithm=\#(algorithm), nonce="\#(nonce)"\#(stale)"#
    return .status(401, headers: ["WWW-Authenticate": challenge])
  }

  private func request(_ host: String = "api.example.com", body: RequestBody? = nil) -> TestRequest {
    TestRequest(path: "https://\(host)\(path)", body: body, authorization: .digest(credentials))
  }

  /// A harness whose server responds to the requests for the path in this order.
  private func harness(_ responses: MockResponse...) -> VirtualHarness<MockURLSession> {
    let harness = VirtualHarness.scripted()
    for response in responses { harness.session.script(.get, path, response) }
    return harness
  }

  /// The nonce and the count of each request; `nil` for a request without credentials.
  private func sent(_ harness: VirtualHarness<MockURLSession>) -> [String?] {
    harness.session.requests.map { request in
      request.value(forHTTPHeaderField: "Authorization").map { field in
        let fields = HTTPHeaders([.init(name: "a", value: field)]).challenges(in: "a").first?.parameters
        return "\(fields?["nonce"] ?? "") \(fields?["nc"] ?? "")"
      }
    }
  }

  @Test(arguments: [true, false])
  func oldNonceIsReplacedByTheNextOne(isStale: Bool) async {
    let harness = harness(Self.refusal("one"), Self.city, Self.refusal("two", isStale: isStale), Self.city)
    for _ in 0..<2 { expectEqual(await harness.result(of: request()).model, City(name: "Bath")) }
    expectEqual(sent(harness), [nil, "one 00000001", "one 00000002", "two 00000001"])
  }

  /// The client nonce of the first response to a challenge is a part of the session's key (RFC 7616, section 3.4.2).
  @Test func requestsWithOneNonceHaveOneClientNonce() async {
    let made = Locked(0)
    let credentials = DigestCredentials(user: "Mufasa", password: "Circle of Life") {
      made.withLock { made in
        made += 1
        return "client \(made)"
      }
    }
    let (first, next) = (Self.refusal("one", algorithm: "MD5-sess"), Self.refusal("two", algorithm: "MD5-sess"))
    let harness = harness(first, Self.city, Self.city, next, Self.city)
    for _ in 0..<3 {
      let request = TestRequest(path: "https://api.example.com\(path)", authorization: .digest(credentials))
      expectEqual(await harness.result(of: request).model, City(name: "Bath"))
    }
    let nonces = harness.session.requests.compactMap { request in
      request.value(forHTTPHeaderField: "Authorization")?.components(separatedBy: "cnonce=").last
    }
    expectEqual(nonces, ["client 1", "client 1", "client 1", "client 2"].map(\.quotedString))
  }

  /// A server that counts expects each number once for a nonce, whoever the user is.
  @Test func usersWhoAskAtTheSameTimeGetChallengesOfTheirOwn() async {
    let harness = VirtualHarness.held { $0.layers = [.coalescing] }
    let results = ["ada", "bob"].map { user in
      harness.send(authorization: .digest(DigestCredentials(user: user, password: "p"))).results
    }
    for nonce in ["one", "two"] {
      harness.session.open.first?.respond(
        401, ["WWW-Authenticate": #"Digest realm="r", qop="auth", nonce="\#(nonce)""#])
    }
    await harness.settleUserCallbacks()
    let sent = harness.session.open.compactMap { $0.request.headers["Authorization"] }
    for nonce in ["one", "two"] { expectEqual(sent.count { $0.contains("nonce=\(nonce.quotedString)") }, 1) }
    harness.session.respondToAll()
    for results in results { expectEqual(await results.elements(1).first?.model, City(name: "Bath")) }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [302, 503])
  func nonceForOneUseIsReplacedAfterARedirectAndARetry(status: Int) async {
    let harness = VirtualHarness.scripted { $0.retry = RetryPolicy(backoff: RetryPolicy.Backoff(base: 3)) }
    let next = status == 302 ? "/c" : path
    harness.session.script(.get, path, Self.refusal("one"))
    harness.session.script(.get, path, .status(status, headers: ["Location": "/c"]))
    harness.session.script(.get, next, Self.refusal("two"))
    harness.session.script(.get, next, Self.city)
    let results = harness.send(request()).results
    if status == 503 {
      // The signed request was the second attempt, and the pause doubles.
      await harness.clock.waitForTimer(after: 6)
      harness.clock.advance(by: 6)
    }
    expectEqual(await results.elements(1).first?.model, City(name: "Bath"))
    expectEqual(sent(harness), [nil, "one 00000001", "one 00000002", "two 00000001"])
  }

  @Test func requestsThatGetOneNonceTogetherHaveACountEach() async {
    let harness = VirtualHarness.held()
    for _ in 0..<2 { harness.send(request()) }
    for transfer in harness.session.open {
      transfer.respond(401, ["WWW-Authenticate": #"Digest realm="a", qop="auth", nonce="one""#])
      await harness.settleUserCallbacks()
    }
    expectEqual(
      harness.session.open.map { $0.request.headers["Authorization"]?.contains("nc=00000002") }, [false, true])
    for transfer in harness.session.open { transfer.respond() }
    await harness.settle()
  }

  @Test func serverWithANewNonceForEach401GetsTwoRequests() async {
    let harness = harness(Self.refusal("one"), Self.refusal("two"), Self.refusal("three"))
    expectEqual(await harness.result(of: request()).error?.kind, .statusCode(401))
    expectEqual(sent(harness), [nil, "one 00000001"])
  }

  @Test func wrongPasswordIsThe401AndShowsNoSecret() async throws {
    let harness = harness(Self.refusal("one"))
    let error = try #require(await harness.result(of: request()).error)
    expectEqual(error.kind, .statusCode(401))
    expectEqual(sent(harness), [nil, "one 00000001"])
    // The nonce is known now, so one request is enough to learn that the password is wrong.
    expectEqual(await harness.result(of: request()).error?.kind, .statusCode(401))
    expectEqual(sent(harness), [nil, "one 00000001", "one 00000002"])
    let field = try #require(harness.session.requests.last?.value(forHTTPHeaderField: "Authorization"))
    let digest = try #require(field.components(separatedBy: "response=\"").last?.prefix(32))
    let values: [Any] = [error, credentials, WebServiceAuthorizationType.digest(credentials)]
    #expect(!values.map(printedTexts).contains { $0.contains("Circle") || $0.contains(digest) })
    #expect("\(error)".contains("https://api.example.com/dir/index.html"))
    // The realm says whose password is asked for.
    #expect("\(error)".contains("The annex"))
  }

  @Test func challengeThatCannotBeMetIsTheResponse() async {
    for response in [
      MockResponse.status(401), .status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""]),
      Self.refusal("one", algorithm: "SHA-512-256"),
    ] {
      let harness = harness(response)
      expectEqual(await harness.result(of: request()).error?.kind, .statusCode(401))
      expectEqual(sent(harness), [nil])
    }
  }

  @Test func eachOriginHasItsOwnChallenge() async {
    let harness = harness(Self.refusal("one"), Self.city, Self.refusal("two"), Self.city)
    expectEqual(await harness.result(of: request()).model, City(name: "Bath"))
    expectEqual(await harness.result(of: request("other.example.com")).model, City(name: "Bath"))
    expectEqual(sent(harness), [nil, "one 00000001", nil, "two 00000001"])
    let next = self.harness(.status(302, headers: ["Location": "https://evil.example.com/b"]))
    next.session.script(.get, "/b", Self.refusal("three"))
    expectEqual(await next.result(of: request()).error?.kind, .statusCode(401))
    expectEqual(sent(next), ["one 00000002", nil])
  }

  @Test func bodyThatCanBeReadOnceIsNotSentAgain() async {
    let harness = harness(Self.refusal("one"))
    func upload() -> TestRequest {
      request(body: .stream(PieceStream(["a"], isReplayable: false), contentType: "text/plain"))
    }
    expectEqual(await harness.result(of: upload()).error?.kind, .statusCode(401))
    expectEqual(harness.session.requests.count, 1)
    // The challenge was read, so that the next request responds to it.
    harness.session.script(.get, path, Self.city)
    expectEqual(await harness.result(of: upload()).model, City(name: "Bath"))
    expectEqual(sent(harness), [nil, "one 00000001"])
  }

  @Test(arguments: TransportKind.allCases)
  func digestIsForThePathThatTheServerSees(kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/cities/:name") { request in
      guard let field = request.headers["Authorization"] else {
        return .status(
          401, headers: ["WWW-Authenticate": #"Digest realm="a", nonce="n", algorithm=SHA-256, qop="auth""#])
      }
      return field.contains("uri=\"\(request.target)\"") ? .json(#"{"name": "Bath"}"#) : .status(400)
    }
    let request = TestRequest(
      path: "cities/a b%2Fc", queryItems: [URLQueryItem(name: "q", value: "\u{E4} +")],
      authorization: .digest(credentials))
    expectEqual(try await harness.service.sendRequest(request, as: City.self), City(name: "Bath"))
    expectEqual(harness.server.requests.count, 2)
  }

  @Test func nonceThatWouldEndItsLineIsNotSent() async {
    let harness = harness(Self.refusal("one\u{1}two"))
    let error = await harness.result(of: request()).error
    #expect(error?.kind == .token || error?.kind == .statusCode(401))
    expectEqual(sent(harness).count, 1)
  }

  @Test func credentialsOfTwoUsersAreNeverEqual() {
    let other = DigestCredentials(user: "Mufasa", password: "Circle of Life")
    #expect(other != credentials && credentials == credentials)
    #expect(WebServiceAuthorizationType.digest(other) != .digest(credentials))
    #expect(!WebServiceAuthorizationType.digest(credentials).needsToken)
  }
}
