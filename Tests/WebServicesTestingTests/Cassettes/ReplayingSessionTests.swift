@testable import WebServicesTestSupport
@testable import WebServicesTesting

@Suite struct ReplayingSessionTests {
  private func request(
    _ method: HTTPMethod = .get, _ url: String = "https://h/a", headers: HTTPHeaders = [:], body: String? = nil
  ) throws -> TransportRequest {
    TransportRequest(
      method: method, url: try #require(URL(string: url)), headers: headers,
      body: body.map { .data(Data($0.utf8)) } ?? .none)
  }

  private func exchange(
    _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: Cassette.Body = .none,
    response: String
  ) -> Cassette.Exchange {
    Cassette.Exchange(
      request: Cassette.Request(method: method, url: url, headers: headers, body: body),
      response: Cassette.Response(status: 200, body: .text(response)))
  }

  @Test func relevantFieldsAreComparedInAnyOrder() async throws {
    let names = [
      "Accept", "Content-Type", "Content-Encoding", "Range", "If-Match", "If-None-Match", "If-Modified-Since",
      "If-Unmodified-Since", "If-Range", "Prefer",
    ]
    let headers = HTTPHeaders(names.map { HTTPHeaders.Field(name: $0, value: "1") })
    let recorded = exchange(.get, "https://h/a", headers: headers, response: "1")
    let session = ReplayingSession(Cassette(exchanges: [recorded]))
    for name in names {
      var fewer = headers
      fewer.remove(name)
      let result = await session.send(try request(headers: fewer))
      #expect(result.error?.message.contains("the header \(name.lowercased()) differs") == true, "\(name)")
    }
    #expect(await session.send(try request(headers: HTTPHeaders(headers.reversed()))).response != nil)
  }

  @Test func strictReplayRoundTripsWithHiddenSecrets() async throws {
    let mock = MockURLSession()
    mock.script(.post, "/sign-in", .json(#"{"apiToken":"first-token","n":1}"#, status: 201, headers: ["X-Id": "7"]))
    mock.script(.get, "/me", .json("{}"))
    mock.script(.post, "/form", .failure(URLError(.timedOut)))
    func all(_ secret: String, _ boundary: String) throws -> [TransportRequest] {
      let signIn = #"{"user": "me", "password":"\#(secret)"}"#
      let multipart =
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(secret)\r\n--\(boundary)--"
      return [
        try request(.post, "https://h/sign-in", headers: ["Content-Type": "application/json"], body: signIn),
        try request(.get, "https://h/me?api_key=\(secret)", headers: ["api-token": secret, "User-Agent": secret]),
        try request(
          .post, "https://h/form", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
          body: multipart),
      ]
    }
    let recording = RecordingSession(mock)
    for request in try all("first-secret", "b1") { _ = await recording.send(request) }
    let session = ReplayingSession(try Cassette(data: recording.cassette().data()))
    expectEqual(session.remaining.count, 3)
    let requests = try all("second-one", "b22")
    let first = try await session.send(requests[0]).get()
    expectEqual(first.statusCode, 201)
    expectEqual(first.headers["X-Id"], "7")
    expectEqual(first.body, Data(#"{"apiToken":"<redacted>","n":1}"#.utf8))
    expectEqual(await session.send(requests[1]).text, "{}")
    expectEqual(await session.send(requests[2]).error?.kind, .timedOut(.whole))
    #expect(session.remaining.isEmpty)
    expectEqual(await session.send(requests[2]).error?.message.contains("all recorded responses have been used"), true)
  }

  /// A cache compares no entity tag of decoded content.
  @Test func responseThatWasDecodedIsReplayedAsDecoded() async throws {
    let held = HeldSession()
    let recording = RecordingSession(held)
    recording.transferTask(with: try request()) { _ in }.resume()
    var response = WebServiceResponse(statusCode: 200, url: testURL("https://h/a"), body: Data("ok".utf8))
    response.isDecoded = true
    held.open.first?.complete(with: .success(response))
    let session = ReplayingSession(try Cassette(data: recording.cassette().data()))
    expectEqual(try await session.send(request()).get().isDecoded, true)
  }

  /// A service sends the request again, while it is recorded and while it is replayed.
  @Test func requestOnAClosedConnectionIsReplayedAsOne() async throws {
    let mock = MockURLSession()
    var error = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    error.isStaleConnection = true
    mock.script(.get, "/a", [.failure(error), .text("ok")])
    let recording = RecordingSession(mock)
    func read(over session: any URLSessionProtocol) async throws {
      let service = JsonWebService(session: session, reachability: FakeReachability())
      expectEqual(try await service.sendRequest(Request("https://h/a"), parser: .text), "ok")
    }
    try await read(over: recording)
    try await read(over: ReplayingSession(try Cassette(data: recording.cassette().data())))
  }

  @Test func pagesWhoseLinksHaveATokenAreReplayed() async throws {
    let mock = MockURLSession()
    let link = "<https://h/b?access_token=first-secret&page=2>; rel=\"next\", </z?token=first-secret>; rel=\"last\""
    mock.script(.get, "/a", .json("[1]", headers: ["Link": link]))
    mock.script(.get, "/b", .json("[2]"))
    func read(over session: any URLSessionProtocol) async throws {
      let service = JsonWebService(session: session, reachability: FakeReachability())
      expectEqual(try await service.pages(of: Request("https://h/a"), as: [Int].self).collect(), [[1], [2]])
    }
    let recording = RecordingSession(mock)
    try await read(over: recording)
    let data = try recording.cassette().data()
    #expect(!String(decoding: data, as: UTF8.self).contains("first-secret"))
    try await read(over: ReplayingSession(try Cassette(data: data).redacted()))
  }

  @Test func signInByCookieIsReplayedStrictly() async throws {
    let mock = MockURLSession()
    let cookie = "sid=first-secret; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT; Secure; HttpOnly"
    mock.script(.post, "/sign-in", .status(200, headers: ["Set-Cookie": cookie]))
    mock.script(.get, "/me", .json("[1]"))
    mock.script(.post, "/sign-out", .status(200, headers: ["Set-Cookie": "sid=; Path=/; Max-Age=0"]))
    func signInAndOut(over session: any URLSessionProtocol) async throws {
      let configuration = WebServiceConfiguration(baseURL: URL(string: "https://h"), layers: [.cookies(CookieJar())])
      let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
      for (method, path) in [(HTTPMethod.post, "sign-in"), (.get, "me"), (.post, "sign-out"), (.get, "me")] {
        try await service.sendRequest(Request(path, method), parser: .nothing)
      }
    }
    let recording = RecordingSession(mock)
    try await signInAndOut(over: recording)
    let secret = "sid=first-secret"
    expectEqual(mock.requests.map { $0.value(forHTTPHeaderField: "Cookie") }, [nil, secret, secret, nil])
    let data = try recording.cassette().data()
    let text = String(decoding: data, as: UTF8.self)
    #expect(!text.contains("first-secret"))
    // A date would end the cookie in replays after it.
    #expect(text.contains("\"sid=<redacted>; Path=/; Secure; HttpOnly\""))
    let replaying = ReplayingSession(try Cassette(data: data))
    try await signInAndOut(over: replaying)
    #expect(replaying.remaining.isEmpty)
  }

  @Test(arguments: [
    ("PUT", "https://h/a?x=1", "b", "a", "the method differs"),
    ("POST", "https://h/a?x=2", "b", "a", "the URL differs"),
    ("POST", "https://h/a?x=1", "c", "a", "the header accept differs"),
    ("POST", "https://h/a?x=1", "b", "z", "the body differs"),
    ("POST", "https://h/a?x=1", "", "a", "the header accept, api-token differs"),
  ])
  func strictMatchingExplainsTheDifference(method: String, url: String, accept: String, body: String, reason: String)
    async throws
  {
    let recorded = exchange(
      .post, "https://h/a?x=1", headers: ["Accept": "b", "api-token": "c"], body: .text("a"), response: "1")
    let session = ReplayingSession(Cassette(exchanges: [recorded]))
    var headers: HTTPHeaders = ["accept": accept, "Date": "now", "api-token": "d"]
    // Without an `Accept` the request has no credentials either.
    if accept.isEmpty { headers = [:] }
    let different = try request(HTTPMethod(rawValue: method), url, headers: headers, body: body)
    let text = try #require(await session.send(different).error).message
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains("\(method) \(url)"))
    #expect(text.contains("left: POST https://h/a?x=1"))
    let right = try request(
      .post, "https://h/a?x=1", headers: ["ACCEPT": "b", "Date": "then", "api-token": "e"], body: "a")
    expectEqual(await session.send(right).text, "1")
  }

  @Test func jsonIsComparedByValue() async throws {
    let recorded = exchange(.post, "https://h/a", body: .text(#"{"a":1,"b":[true,null]}"#), response: "1")
    let session = ReplayingSession(Cassette(exchanges: [recorded, recorded]))
    expectEqual(try await session.send(request(.post, body: #"{ "b" : [true, null], "a" : 1 }"#)).text, "1")
    let text = ReplayingSession(
      Cassette(exchanges: [exchange(.post, "https://h/a", body: .text(#""a/b""#), response: "2")]))
    expectEqual(try await text.send(request(.post, body: #""a\/b""#)).text, "2")
    let other = await session.send(try request(.post, body: #"{"b":[null,true],"a":1}"#))
    expectEqual(other.error?.message.contains("the body"), true)
  }

  @Test func looseMatchingComparesMethodAndPathOnly() async throws {
    let session = ReplayingSession(
      Cassette(exchanges: [
        exchange(.get, "https://h/a?x=1", response: "1"), exchange(.get, "https://h/b", response: "b"),
        exchange(.get, "https://h/a", response: "2"),
      ]), matching: .loose)
    expectEqual(try await session.send(request(.get, "https://other/b?y=2", body: "?")).text, "b")
    expectEqual(session.remaining.count, 2)
    for expected in ["1", "2", "2", "2"] { expectEqual(try await session.send(request()).text, expected) }
    let text = try #require(await session.send(try request(.put)).error).message
    #expect(text.contains("no response for PUT https://h/a: no recorded request matches; left: nothing"))
  }

  @Test(arguments: [10, 12])
  func mismatchNamesTenRequestsThatAreLeft(count: Int) async throws {
    let paths = (0..<count).map { "https://h/\($0)" }
    let session = ReplayingSession(
      Cassette(exchanges: paths.map { exchange(.get, $0, response: "") }), matching: .loose)
    let left = paths.prefix(10).map { "GET \($0)" }.joined(separator: ", ") + (count > 10 ? ", and 2 more" : "")
    expectEqual(try await session.send(request()).error?.message.hasSuffix("; left: " + left), true)
  }

  @Test func customMatchingNeverSeesASecret() async throws {
    let seen = Watched<[String]>([])
    let session = ReplayingSession(
      Cassette(exchanges: [exchange(.get, "https://h/a", response: "1"), exchange(.get, "https://h/b", response: "2")]),
      matching: .custom { live, recorded in
        seen.withLock { $0.append(live.url) }
        return recorded.path == "/b"
      })
    expectEqual(try await session.send(request(.delete, "https://h/z?token=abcdef")).text, "2")
    #expect(seen.withLock { $0 }.allSatisfy { $0 == "https://h/z?token=<redacted>" })
  }

  @Test func replayServesFoundationTasksAndLimits() async throws {
    let session = ReplayingSession(
      Cassette(exchanges: [exchange(.get, "https://h/a", response: "[1]")]), matching: .loose)
    let plain = URLRequest(url: try #require(URL(string: "https://h/a")))
    let response: (Data?, Int?) = await withCheckedContinuation { continuation in
      session.dataTask(with: plain) { data, response, _ in
        continuation.resume(returning: (data, (response as? HTTPURLResponse)?.statusCode))
      }.resume()
    }
    expectEqual(response.0, Data("[1]".utf8))
    expectEqual(response.1, 200)
    var request = try request()
    request.responseLimit = 2
    expectEqual(await session.send(request).error?.kind, .tooLarge)
  }

  /// A recording is replayed for years, and the second request was never recorded.
  @Test(
    arguments: [
      ["Cache-Control": "max-age=60"], ["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"],
      ["Last-Modified": "Sun, 06 Nov 1993 08:49:37 GMT"],
    ] as [HTTPHeaders])
  func cacheTakesAReplayedResponseForNew(headers: HTTPHeaders) async throws {
    var headers = headers
    headers["Date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
    headers["Retry-After"] = "Sun, 06 Nov 1994 08:50:37 GMT"
    var recorded = exchange(.get, "https://h/a", response: "[1]")
    recorded.response?.headers = headers
    let session = ReplayingSession(Cassette(exchanges: [recorded]), matching: .loose)
    let configuration = WebServiceConfiguration(layers: [.cache(ResponseCache())])
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    for isCached in [false, true] {
      let response = try await service.sendRequest(Request("https://h/a"), parser: .response)
      expectEqual(response.headers["Age"] != nil, isCached)
      expectEqual(response.headers.retryAfter, 60)
    }
  }
}
