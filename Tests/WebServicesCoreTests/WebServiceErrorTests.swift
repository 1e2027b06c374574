@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct WebServiceErrorTests {
  /// The error of a request whose transfers all end like this.
  private func error(
    of request: TestRequest = TestRequest(), _ response: MockResponse,
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) async throws -> WebServiceError {
    try #require(await VirtualHarness.scripted(response, configure: configure).result(of: request).error)
  }

  @Test(arguments: [300, 304, 400, 401, 404, 500, 599])
  func errorStatusKeepsHeadersAndBody(status: Int) async throws {
    let error = try await error(.json(#"{"code": 7}"#, status: status, headers: ["X-Id": "9"]))
    #expect(error.kind == .statusCode(status) && error.phase == .judge && error.statusCode == status)
    expectEqual(error.response?.headers["x-id"], "9")
    expectEqual(error.response?.body, status == 304 ? Data() : Data(#"{"code": 7}"#.utf8))
    #expect(error.method == .get && error.url == "https://api.example.com/cities" && error.attemptCount == 1)
  }

  private static let badURLs = [
    "not a url", "", "//host/x", "ftp://host/x", "https://", "http:///x", "https://user:pw@host/", "http://ho st/",
    "http://host:99999/", "http://host/../x", "https://host/a/%2E%2e/b", "https://host/\r\nx: y", "javascript:1",
  ].map { (TestRequest(path: $0), WebServiceError.Kind.badURL) }

  private static let invalidRequests =
    [
      TestRequest(method: HTTPMethod(rawValue: "GET\r\nX: y")), TestRequest(method: HTTPMethod(rawValue: "")),
      TestRequest(headers: ["X-\r\nInjected": "1"]), TestRequest(headers: ["X": "1\r\nInjected: 2"]),
      TestRequest(headers: ["X": "1\u{0}2"]), TestRequest(headers: ["": "1"]), TestRequest(body: .json(Double.nan)),
    ].map { ($0, WebServiceError.Kind.invalidRequest) }
    + ([.nan, .infinity, -1, 0, 1e17] as [TimeInterval]).map {
      (TestRequest(options: RequestOptions(timeout: $0)), WebServiceError.Kind.invalidRequest)
    }
    + ([0, -1, .nan, .infinity] as [TimeInterval]).flatMap { seconds in
      [RequestOptions { $0.connectTimeout = seconds }, RequestOptions { $0.idleTimeout = seconds }]
    }.map { (TestRequest(options: $0), WebServiceError.Kind.invalidRequest) }

  @Test(arguments: badURLs + invalidRequests)
  func unsendableRequestsAreRefused(request: TestRequest, kind: WebServiceError.Kind) async throws {
    let harness = VirtualHarness.scripted()
    let error = try #require(await harness.result(of: request).error)
    #expect(error.kind == kind && error.phase == .describe && !error.message.isEmpty)
    #expect(harness.session.requests.isEmpty)
  }

  @Test func noNetworkOrTokenLeavesTheRequestUnsent() async {
    let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager(error: TokenError.notSignedIn))
    let tokenless = await harness.result(of: TestRequest(authorization: .apiToken)).error
    #expect(tokenless?.kind == .token && tokenless?.phase == .authorize)
    expectEqual(tokenless?.underlying as? TokenError, .notSignedIn)
    harness.reachability.set(isConnected: false)
    let offline = await harness.result(of: TestRequest()).error
    #expect(offline?.kind == .noConnection && offline?.phase == .admit && offline?.attemptCount == 0)
    #expect(harness.session.requests.isEmpty)
    // This machine needs no network.
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let result = await harness.result(of: TestRequest(path: "http://api.localhost:8080/cities"))
    expectEqual(result, .success(City(name: "Bath")))
  }

  /// A server must not control the terminal of somebody who prints an error.
  @Test func textOfAServerIsEscaped() async throws {
    let text = "\u{1B}[2J\u{9B}\u{202E}"
    let errors = [
      try await error(.data(Data(text.utf8), status: 500, headers: ["X-A": text, "Content-Type": text])),
      try await error(.json("{\"name\": {\"\(text)\": \"\(text)\"}}")),
      try await error(.failure(TransportError(.other, message: text, mayHaveReachedServer: true))),
      WebServiceError(
        .undecodableBody,
        underlying: DecodingError.dataCorrupted(
          .init(codingPath: [JSONKey(stringValue: text)], debugDescription: text))),
      WebServiceError(.statusCode(400), underlying: ProblemDetails(title: text, extensions: [text: nil])),
    ]
    for error in errors {
      let words = [error.description, error.message, error.underlying(as: TransportError.self)?.description ?? ""]
        .joined()
      #expect(!words.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
      #expect(!words.unicodeScalars.contains("\u{202E}"))
      #expect(error.description.contains("u{9b}") || error.kind == .undecodableBody)
    }
  }

  @Test func undecodableBodyKeepsTheStatusAndPlace() async throws {
    let error = try await error(.json(#"{"name": 7}"#, status: 201))
    expectEqual(error.kind, .undecodableBody)
    expectEqual(error.phase, .read)
    expectEqual(error.codingPath, ["name"])
    #expect(error.decodingFailure?.codingPath == "name" && error.decodingFailure?.found?.contains("7") == true)
    expectEqual(error.statusCode, 201)
    #expect(error.underlying is DecodingError)
    #expect(error.description.contains("at name"))
  }

  @Test func failuresOfATransferAreDistinguished() async throws {
    let error = try await error(.failure(URLError(.cannotFindHost)))
    expectEqual(error.kind, .sessionFailure)
    expectEqual((error.underlying as? TransportError)?.underlying as? URLError, URLError(.cannotFindHost))
    expectEqual(try await self.error(.notHTTP).kind, .notHTTPResponse)
    expectEqual(try await self.error(.failure(CancellationError())).kind, .cancelled)
    for (limit, count) in [(5, 5), (-1, 0)] {
      let large = try await self.error(.data(Data(repeating: 32, count: 11))) {
        ($0.responseLimit, $0.errorBodyLimit) = (10, limit)
      }
      let tooLarge = large.underlying(as: TransportError.self)
      expectEqual(tooLarge?.kind, .tooLarge)
      expectEqual([large.response?.body.count, tooLarge?.response?.body.count], [count, count])
    }
  }

  private static func ofToken(_ cause: any Error, _ words: String) -> (any Error, String) {
    (WebServiceError(.token, underlying: cause), words)
  }

  private static func ofSession(_ kind: TransportError.Kind, _ words: String) -> (any Error, String) {
    (WebServiceError(.sessionFailure, underlying: TransportError.unsent(kind, "")), words)
  }

  private static let (signIn, later) = ("Please sign in and try again.", "Please try again later.")
  private static let notRenewed = "Your session couldn't be renewed."

  @Test(arguments: [
    ofToken(TokenError.notSignedIn, "You aren't signed in. \(signIn)"),
    ofToken(TokenError.signedOut, "You aren't signed in. \(signIn)"),
    ofToken(TokenError.expired, "Your session has expired. Please sign in again."),
    ofToken(WebServiceError(.statusCode(400)), "\(notRenewed) Please sign in again."),
    ofToken(WebServiceError(.statusCode(403)), "\(notRenewed) Please sign in again."),
    ofToken(WebServiceError(.statusCode(503)), "\(notRenewed) The service has a problem (503). \(later)"),
    ofToken(
      WebServiceError(.sessionFailure, underlying: TransportError.unsent(.cannotConnect, "")),
      "\(notRenewed) The service couldn't be reached. \(later)"),
    ofToken(TokenError.renewalTimedOut, "\(notRenewed) \(later)"),
    ofToken(URLError(.badURL), "\(notRenewed) \(later)"),
    (WebServiceError(.statusCode(403)), "You aren't allowed to do this."),
    (
      WebServiceError(.statusCode(412)), "Someone else changed this in the meantime. Please reload and try again."
    ),
    (WebServiceError(.statusCode(429)), "Too many requests. Please wait a moment and try again."),
    (WebServiceError(.statusCode(500)), "The service has a problem (500). \(later)"),
    (WebServiceError(.statusCode(504)), "The service took too long to respond. \(later)"),
    (WebServiceError(.circuitOpen), "The service has a problem. Please try again in a moment."),
    (WebServiceError(.file), "A file couldn't be read or written."),
    ofSession(.tls, "No secure connection to the service could be made."),
    ofSession(.tooLarge, "The response of the service is too large."),
    (CancellationError(), "The request was cancelled."),
    (PrivateFileError.notAFileURL, "the URL names no file in a directory"),
    (POSIXError(.EIO), "Something unexpected went wrong. Please try again."),
  ])
  func anyErrorHasASentence(error: any Error, words: String) {
    expectEqual(WebServiceError.friendlyDescription(of: error), words)
  }

  @Test func descriptionLeavesEmptyPartsOut() {
    let cancelled = WebServiceError(.cancelled, url: "https://h/?token=abc", attemptCount: 1)
    expectEqual(cancelled.description, "cancelled (send): GET https://h/?token=<redacted>, 1 attempt")
    let response = WebServiceResponse(statusCode: 407, url: testURL("https://h/"))
    let refused = WebServiceError(.statusCode(407), url: "https://h/", response: response)
    expectEqual(
      refused.description,
      "statusCode(407) (send): GET https://h/, 0 attempts, \(TransportMessage.proxyRefusal), status 407, headers []")
  }

  @Test func errorsCompareByTheirContent() {
    let error = WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL))
    expectEqual(error, WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://b/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.timedOut)))
    #expect(error != WebServiceError(.statusCode(500), url: "https://a/", underlying: URLError(.badURL)))
    func response(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") -> WebServiceResponse {
      WebServiceResponse(statusCode: status, headers: headers, url: testURL("https://a/"), body: Data(body.utf8))
    }
    func undecodable(_ path: [any CodingKey]) -> WebServiceError {
      let context = DecodingError.Context(codingPath: path, debugDescription: "")
      return WebServiceError(.undecodableBody, underlying: DecodingError.dataCorrupted(context))
    }
    let others = [
      WebServiceError(.timedOut), WebServiceError(.timedOut, phase: .judge), WebServiceError(.timedOut, method: .put),
      WebServiceError(.timedOut, attemptCount: 2), WebServiceError(.timedOut, message: "late"),
      WebServiceError(.timedOut, response: response(200)), WebServiceError(.timedOut, response: response(201)),
      WebServiceError(.timedOut, response: response(200, ["A": "b"])),
      WebServiceError(.timedOut, response: response(200, [:], "c")), undecodable([]),
      undecodable([JSONKey(stringValue: "d")]),
    ]
    for (index, other) in others.enumerated() { expectEqual(others.firstIndex(of: other), index) }
  }

  @Test func transportFailureKeepsKindAndResponse() {
    let kinds: [(TransportError.Kind, WebServiceError.Kind)] = [
      (.cancelled, .cancelled), (.timedOut(.idle), .timedOut), (.timedOut(.whole), .timedOut),
      (.notConnected, .noConnection), (.notHTTPResponse, .notHTTPResponse), (.invalidRequest, .invalidRequest),
      (.file, .file), (.invalidated, .sessionFailure), (.tls, .sessionFailure), (.connectionLost, .sessionFailure),
      (.tooLarge, .sessionFailure),
    ]
    for (transport, kind) in kinds {
      let response = WebServiceResponse(statusCode: 206, url: URL(fileURLWithPath: "/"))
      let failure = WebServiceError(
        transport: TransportError(transport, message: "why", mayHaveReachedServer: true, response: response))
      expectEqual(failure.kind, kind)
      expectEqual(failure.message, "why")
      expectEqual(failure.response?.statusCode, 206)
      expectEqual((failure.underlying as? TransportError)?.kind, transport)
    }
  }
}
