import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.leavesNothing) struct WebServiceErrorTests {
  private func error(of result: WebServiceResult<City>) throws -> WebServiceError {
    try #require(result.error)
  }

  @Test(arguments: [300, 304, 400, 401, 404, 500, 599])
  func errorStatusKeepsHeadersAndBody(status: Int) async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .json(#"{"code": 7}"#, status: status, headers: ["X-Id": "9"]))
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.kind == .statusCode(status))
    #expect(error.phase == .judge)
    #expect(error.statusCode == status)
    #expect(error.response?.headers["x-id"] == "9")
    #expect(error.response?.body == Data(#"{"code": 7}"#.utf8))
    #expect(error.method == .get)
    #expect(error.url == "https://api.example.com/cities")
    #expect(error.attemptCount == 1)
  }

  @Test func keptBodyIsBounded() async throws {
    let harness = VirtualHarness.scripted { $0.errorBodyLimit = 10 }
    harness.session.script(.get, "/cities", .response(status: 500, body: Data(repeating: 65, count: 100)))
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.response?.body.count == 10)
  }

  @Test func offlineRequestFailsUnsent() async throws {
    let harness = VirtualHarness.scripted()
    harness.reachability.set(isConnected: false)
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.kind == .noConnection)
    #expect(error.phase == .admit)
    #expect(error.attemptCount == 0)
    #expect(harness.session.requests.isEmpty)
  }

  @Test(
    arguments: ["localhost", "127.0.0.1", "127.9.8.7", "[::1]", "api.localhost"])
  func loopbackHostNeedsNoNetwork(host: String) async {
    let harness = VirtualHarness.scripted()
    harness.reachability.set(isConnected: false)
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let result = await harness.result(of: TestRequest(path: "http://\(host):8080/cities"))
    #expect(result == .success(City(name: "Bath")))
  }

  @Test(
    arguments: [
      "not a url", "", "//host/x", "ftp://host/x", "https://", "http:///x", "https://user:pw@host/", "http://ho st/",
      "http://host:99999/", "http://host/../x", "https://host/a/%2E%2e/b", "https://host/\r\nx: y", "javascript:1",
    ])
  func invalidURLFailsWithBadURL(path: String) async throws {
    let harness = VirtualHarness.scripted()
    let error = try error(of: await harness.result(of: TestRequest(path: path)))
    #expect(error.kind == .badURL)
    #expect(error.phase == .describe)
    #expect(!error.message.isEmpty)
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
    let error = try error(of: await harness.result(of: request))
    #expect(error.kind == .invalidRequest)
    #expect(error.phase == .describe)
    #expect(harness.session.requests.isEmpty)
  }

  @Test func missingTokenSendsNothingAndHasItsReason() async throws {
    let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager(error: TokenError.notSignedIn))
    let error = try error(of: await harness.result(of: TestRequest(authorization: .apiToken)))
    #expect(error.kind == .token)
    #expect(error.phase == .authorize)
    #expect(error.underlying as? TokenError == .notSignedIn)
    #expect(harness.session.requests.isEmpty)
  }

  @Test func responseThatIsNotHTTPFails() async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .notHTTP)
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.kind == .notHTTPResponse)
  }

  @Test func undecodableBodyKeepsTheStatusAndPlace() async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .json(#"{"name": 7}"#, status: 201))
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.kind == .undecodableBody)
    #expect(error.phase == .read)
    #expect(error.codingPath == ["name"])
    #expect(error.statusCode == 201)
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
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .failure(URLError(code)))
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect(error.kind == kind)
    #expect((error.underlying as? TransportError)?.underlying as? URLError == URLError(code))
    #expect(!error.friendlyDescription.isEmpty)
  }

  @Test func everyCancellationHasOneKind() async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .failure(CancellationError()))
    #expect(try error(of: await harness.result(of: TestRequest())).kind == .cancelled)
  }

  @Test func responseAboveTheLimitIsAnError() async throws {
    let harness = VirtualHarness.scripted { $0.responseLimit = 10 }
    harness.session.script(.get, "/cities", .response(body: Data(repeating: 32, count: 11)))
    let error = try error(of: await harness.result(of: TestRequest()))
    #expect((error.underlying as? TransportError)?.kind == .tooLarge)
  }

  @Test(
    arguments: [
      (TokenError.notSignedIn, "You aren't signed in. Please sign in and try again."),
      (TokenError.signedOut, "You aren't signed in. Please sign in and try again."),
      (TokenError.expired, "Your session couldn't be renewed. Please sign in again."),
    ])
  func tokenErrorsSayWhetherSomebodyIsSignedIn(error: TokenError, words: String) {
    #expect(WebServiceError(.token, underlying: error).friendlyDescription == words)
  }

  @Test func underlyingErrorIsFoundBelowAllLevels() {
    let context = DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: URLError(.badURL))
    let inner = WebServiceError(.undecodableBody, underlying: DecodingError.dataCorrupted(context))
    let middle = TransportError(.other, message: "", mayHaveReachedServer: true, underlying: inner)
    let error = WebServiceError(.unexpected, underlying: middle)
    #expect(error.underlying(as: URLError.self)?.code == .badURL)
  }

  @Test func errorsCompareByTheirContent() {
    let error = WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL))
    #expect(error == WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://b/", underlying: URLError(.badURL)))
    #expect(error != WebServiceError(.statusCode(404), url: "https://a/", underlying: URLError(.timedOut)))
    #expect(error != WebServiceError(.statusCode(500), url: "https://a/", underlying: URLError(.badURL)))
  }

  @Test(
    arguments: [
      TestRequest(body: ["password": "hunter22", "nested": ["x": "y"]]),
      TestRequest(body: ["user": ["credentials": ["hunter22"]]]),
      TestRequest(body: .data(Data("user=x&password=hunter%32%32".utf8), contentType: "text/plain")),
      TestRequest(queryItems: [URLQueryItem(name: "api_key", value: "hunter22")]),
      TestRequest(headers: ["X-Api-Key": "hunter22"]),
      TestRequest(authorization: .basic(user: "u", password: "hunter22")),
    ])
  func secretRepeatedByTheServerIsHidden(request: TestRequest) async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .response(status: 400, body: Data("hunter22 is wrong".utf8)))
    let error = try error(of: await harness.result(of: request))
    #expect(!error.description.contains("hunter22"))
    #expect(error.description.contains("<redacted> is wrong"))
  }
}
