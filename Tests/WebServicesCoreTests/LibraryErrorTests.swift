@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct LibraryErrorTests {
  private func text(of underlying: any Error) -> String { "\(WebServiceError(.unexpected, underlying: underlying))" }

  @Test(
    arguments: [
      (TokenError.signedOut, "TokenError: the user has signed out"),
      (TokenError.notSignedIn, "TokenError: nobody is signed in"),
      (TokenError.colonInUser, "TokenError: the user name contains a colon, which Basic credentials don't allow"),
      (
        CircuitBreakerPolicy.OpenError(host: "h:81", retryAfter: 4.25),
        "h:81 keeps failing, so no request is sent to it for another 4.2 s"
      ),
      (CircuitBreakerPolicy.OpenError(host: "h", retryAfter: 0), "h keeps failing, and the next request probes it"),
      (MenuError.closed, "underlying MenuError: closed"),
      (MenuError.refused("secret"), "underlying MenuError: refused"),
      (WordyError.late, "underlying WordyError: the kitchen is closed"), (PlainError(), "underlying PlainError"),
      (URLError(.badURL), "underlying URLError NSURLErrorDomain -1000"),
      (POSIXError(.ENOSPC), "underlying POSIXError NSPOSIXErrorDomain 28: No space left on device"),
    ] as [(any Error, String)])
  func errorsDescribeThemselves(error: any Error, words: String) {
    #expect(text(of: error).contains(words))
    #expect(!text(of: error).contains("secret"))
    #expect((error as? any LocalizedError)?.errorDescription.map { text(of: error).contains($0) } ?? true)
  }

  @Test func errorsHaveLocalizedDescriptions() throws {
    var configuration = TransportConfiguration()
    configuration.connectionsPerHost = 0
    let url = testURL("http://h/p?token=Zq7")
    let errors: [any Error & CustomStringConvertible] = [
      RequestBodyError(.missingFile, "the file a.json doesn't exist"), PrivateFileError.symbolicLink(path: "/a"),
      TransportError.sent(.truncated, "cut"), RedirectPolicy.Refusal(reason: .loop, chain: [url]), TokenError.expired,
      try #require(throws: TransportConfiguration.InvalidSetting.self) { try DefaultSession.make(configuration) },
      CassetteError.damaged("at 1"), PagingError.otherOrigin, OAuth2.SignIn.Failure.wrongState,
    ]
    for error in errors { expectEqual(error.localizedDescription, error.description) }
  }

  private enum MenuError: Error { case closed, refused(String) }
  private struct PlainError: Error { var reason = "secret" }
  private struct CircularError: CustomNSError {
    var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: self] }
  }
  private enum WordyError: Error, CustomStringConvertible {
    case late
    var description: String { "the kitchen is closed" }
  }

  @Test func causesAreFoundOnAllLevels() {
    let file = RequestBodyError(.missingFile, "the file a.json doesn't exist")
    let inner = WebServiceError(.file, underlying: TransportError.unreadableBody(file))
    let error = WebServiceError(.token, underlying: inner)
    expectEqual(error.underlying(as: WebServiceError.self)?.kind, .file)
    expectEqual(error.underlying(as: TransportError.self)?.kind, .file)
    expectEqual(error.underlying(as: RequestBodyError.self), file)
    expectEqual(error.underlying(as: TokenError.self), nil)
    let foundation = URLError(.unknown, userInfo: [NSUnderlyingErrorKey: TransportError.unreadableBody(file)])
    expectEqual(WebServiceError(.file, underlying: foundation).underlying(as: RequestBodyError.self), file)
    let context = DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: URLError(.badURL))
    let undecodable = WebServiceError(.undecodableBody, underlying: DecodingError.dataCorrupted(context))
    expectEqual(undecodable.underlying(as: URLError.self)?.code, .badURL)
    #expect("\(undecodable)".contains("at the top level"))
    expectEqual(WebServiceError(.unexpected, underlying: CircularError()).underlying(as: TokenError.self), nil)
  }

  @Test func wordsOfACauseAreShownOnce() {
    let file = RequestBodyError(.missingFile, "the file a.json doesn't exist")
    let cause = TransportError.unreadableBody(file)
    let error = WebServiceError(.file, method: .post, url: "http://h/", message: cause.message, underlying: cause)
    expectEqual(
      "\(error)",
      "file (send): POST http://h/, 0 attempts, the request's body can't be read: the file a.json doesn't "
        + "exist, underlying file, underlying RequestBodyError")
    let transport = WebServiceError(
      .sessionFailure, message: "refused", underlying: TransportError.unsent(.tls, "refused"))
    #expect("\(transport)".hasSuffix("refused, underlying tls"))
  }

  @Test(arguments: TransportKind.own)
  func errorOfABodyNamesItsCause(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let missing = harness.folder.appendingPathComponent("missing.json")
    let file = harness.folder.appendingPathComponent("menu.json")
    try Data().write(to: file)
    let bodies: [(RequestBody, String)] = [
      (.file(missing), "the file missing.json doesn't exist"),
      (.file(file.appendingPathComponent("part")), "the file part can't be read: Not a directory"),
      (
        .stream(AsyncThrowingStream<Data, any Error> { throw MenuError.closed }, contentType: "a/b"),
        "MenuError: closed"
      ),
      (
        .stream(AsyncStream<Data> { nil }, contentType: "a/b", length: 1),
        "the stream ended 1 bytes before its length of 1 bytes"
      ),
    ]
    for (body, words) in bodies {
      let request = TestRequest(path: "a", method: .post, body: body)
      let error = await thrown { try await harness.service.sendRequest(request, parser: .response) }
      #expect(error?.kind == .file && error?.message == "the request's body can't be read: \(words)")
      expectEqual(error.map { "\($0)" }?.components(separatedBy: words).count, 2)
      // Nothing of a request whose body can't be opened is sent.
      if words.contains("missing.json") { expectEqual(error?.attemptCount, 0) }
    }
    expectEqual(harness.server.requestCount, 0)
  }

  #if os(Linux)
    /// libcurl from 8.13 on sends a request without a field of 300 KB.
    @Test(arguments: [[2_000_000], [300_000], [250_000, 250_000, 250_000, 250_000, 250_000]])
    func tooLargeHeaderIsNoMemoryError(_ sizes: [Int]) async throws {
      let harness = try SocketHarness(.curl)
      harness.server.route(.get, "/a", .text("found"))
      let fields = sizes.map { HTTPHeaders.Field(name: "X-Large", value: String(repeating: "x", count: $0)) }
      let request = TestRequest(path: "a", headers: HTTPHeaders(fields))
      let error = await thrown { try await harness.service.sendRequest(request, parser: .response) }
      expectEqual(error?.kind, .invalidRequest)
      expectEqual(error?.message, "libcurl has no room for the head of the request")
      expectEqual(error?.attemptCount, 0)
      #expect(harness.server.requests.isEmpty)
    }
  #endif
}
