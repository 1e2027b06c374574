@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesJSON

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
    expectEqual(error.kind, .statusCode(status))
    expectEqual(error.phase, .judge)
    expectEqual(error.statusCode, status)
    expectEqual(error.response?.headers["x-id"], "9")
    expectEqual(error.response?.body, Data(#"{"code": 7}"#.utf8))
    expectEqual(error.method, .get)
    expectEqual(error.url, "https://api.example.com/cities")
    expectEqual(error.attemptCount, 1)
  }

  @Test(
    arguments: ["localhost", "127.0.0.1", "127.9.8.7", "[::1]", "api.localhost"])
  func loopbackHostNeedsNoNetwork(host: String) async {
    let harness = VirtualHarness.scripted()
    harness.reachability.set(isConnected: false)
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let result = await harness.result(of: TestRequest(path: "http://\(host):8080/cities"))
    expectEqual(result, .success(City(name: "Bath")))
  }

  @Test(
    arguments: [
      "not a url", "", "//host/x", "ftp://host/x", "https://", "http:///x", "https://user:pw@host/", "http://ho st/",
      "http://host:99999/", "http://host/../x", "https://host/a/%2E%2e/b", "https://host/\r\nx: y", "javascript:1",
    ])
  func invalidURLFailsWithBadURL(path: String) async throws {
    let harness = VirtualHarness.scripted()
    let error = try #require(await harness.result(of: TestRequest(path: path)).error)
    expectEqual(error.kind, .badURL)
    expectEqual(error.phase, .describe)
    #expect(!error.message.isEmpty)
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
  }

  @Test(
    arguments: [
      TestRequest(method: HTTPMethod(rawValue: "GET\r\nX: y")), TestRequest(method: HTTPMethod(rawValue: "")),
      TestRequest(headers: ["X-\r\nInjected": "1"]), TestRequest(headers: ["X": "1\r\nInjected: 2"]),
      TestRequest(headers: ["X": "1\u{0}2"]), TestRequest(headers: ["": "1"]),
      TestRequest(options: RequestOptions { $0.timeout = .nan }),
      TestRequest(options: RequestOptions { $0.timeout = .infinity }),
      TestRequest(options: RequestOptions { $0.timeout = -1 }),
      TestRequest(options: RequestOptions { $0.timeout = 0 }),
      TestRequest(options: RequestOptions { $0.timeout = 1e17 }),
      TestRequest(body: .json(Double.nan)),
    ])
  func unsendableRequestsAreRefused(request: TestRequest) async throws {
    let harness = VirtualHarness.scripted()
    let error = try #require(await harness.result(of: request).error)
    expectEqual(error.kind, .invalidRequest)
    expectEqual(error.phase, .describe)
    #expect(harness.session.requests.isEmpty)
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

  @Test(
    arguments: [
      (URLError.Code.cancelled, WebServiceError.Kind.cancelled), (.timedOut, .timedOut),
      (.notConnectedToInternet, .noConnection), (.cannotFindHost, .sessionFailure),
      (.cannotConnectToHost, .sessionFailure), (.secureConnectionFailed, .sessionFailure),
      (.networkConnectionLost, .sessionFailure), (.badServerResponse, .sessionFailure),
    ])
  func sessionFailuresAreDistinguished(code: URLError.Code, kind: WebServiceError.Kind) async throws {
    let error = try await error(.failure(URLError(code)))
    expectEqual(error.kind, kind)
    expectEqual((error.underlying as? TransportError)?.underlying as? URLError, URLError(code))
    #expect(!error.friendlyDescription.isEmpty)
  }

  @Test(
    arguments: [(.notHTTP, .notHTTPResponse), (.failure(CancellationError()), .cancelled)]
      as [(MockResponse, WebServiceError.Kind)])
  func otherEndsOfATransferHaveTheirKind(response: MockResponse, kind: WebServiceError.Kind) async throws {
    expectEqual(try await error(response).kind, kind)
  }

  @Test func responseAboveTheLimitIsAnError() async throws {
    let error = try await error(.data(Data(repeating: 32, count: 11))) { $0.responseLimit = 10 }
    expectEqual((error.underlying as? TransportError)?.kind, .tooLarge)
  }

  @Test(
    arguments: [
      (TokenError.notSignedIn, "You aren't signed in. Please sign in and try again."),
      (TokenError.signedOut, "You aren't signed in. Please sign in and try again."),
      (TokenError.expired, "Your session has expired. Please sign in again."),
      (WebServiceError(.statusCode(400)), "Your session couldn't be renewed. Please sign in again."),
      (
        WebServiceError(.statusCode(503)),
        "Your session couldn't be renewed. The service has a problem (503). Please try again later."
      ),
      (
        WebServiceError(.sessionFailure, underlying: TransportError.unsent(.cannotConnect, "")),
        "Your session couldn't be renewed. The service couldn't be reached. Please try again later."
      ),
      (TokenError.renewalTimedOut, "Your session couldn't be renewed. Please try again later."),
      (URLError(.badURL), "Your session couldn't be renewed. Please try again later."),
    ] as [(any Error, String)])
  func tokenErrorsSayWhetherToSignIn(error: any Error, words: String) {
    expectEqual(WebServiceError(.token, underlying: error).friendlyDescription, words)
  }

  @Test(
    arguments: [
      (WebServiceError(.statusCode(403)), "You aren't allowed to do this."),
      (CancellationError(), "The request was cancelled."),
      (PrivateFileError.notAFileURL, "Something unexpected went wrong. Please try again."),
    ] as [(any Error, String)])
  func anyErrorHasASentence(error: any Error, words: String) {
    expectEqual(WebServiceError.friendlyDescription(of: error), words)
  }

  @Test func errorsCompareByTheirContent() {
    let error = WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL))
    expectEqual(error, WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://b/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.timedOut)))
    #expect(error != WebServiceError(.statusCode(500), url: "https://a/", underlying: URLError(.badURL)))
  }
}
