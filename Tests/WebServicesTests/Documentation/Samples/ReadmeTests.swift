@testable import WebServicesTestSupport

/// The samples of README.md, compiled and run.
@Suite struct ReadmeTests {
  // sample: describe

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "http://127.0.0.1:8080"))

  /// The default session, which opens nothing before the first request.
  private func makeService() -> JsonWebService {
    // sample: service
    return service
  }

  // sample: publicModel

  /// Compiled and not run, since the tests have no network.
  private func sendToTheInternet() async throws {
    // sample: publicRequest
    print(swift.description)
    service.invalidateAndCancel()
  }

  // MARK: A request

  @MainActor
  private func send(with service: JsonWebService, print: @escaping @MainActor (String) -> Void) {
    // sample: send
  }

  @Test(arguments: [
    (MockResponse.json(#"{"text": "A horse walks into a bar."}"#), "A horse walks into a bar."),
    (.status(204), "There is no joke today."),
    (.status(404), "This doesn't exist (any more)."),
  ])
  @MainActor
  func requestIsDescribedAndSent(response: MockResponse, shown: String) async {
    let service = JsonWebService(over: MockURLSession(["GET /jokes/7": response]), configuration)
    let text = await withCheckedContinuation { continuation in
      send(with: service) { continuation.resume(returning: $0) }
    }
    expectEqual(text, shown)
  }

  // MARK: A fake session

  // sample: fake

  // MARK: Awaited, and its errors

  private func awaitJoke(
    from service: JsonWebService, print: (String) -> Void
  ) async {
    // sample: await
  }

  @Test func requestIsAwaited() async {
    let session = MockURLSession([
      "GET /jokes/7": .json(#"{"text": "A horse walks into a bar."}"#),
      "GET /jokes/7": .json(#"{"error": "no joke", "token": "s3cret"}"#, status: 404),
    ])
    let service = JsonWebService(over: session, configuration)
    var printed: [String] = []
    for _ in 0..<2 {
      await awaitJoke(from: service) { printed.append($0) }
    }
    expectEqual(printed.prefix(2), ["A horse walks into a bar.", "This doesn't exist (any more)."])
    expectEqual(printed.count, 3)
    expectEqual(printed.last?.contains("GET http://127.0.0.1:8080/jokes/7"), true)
    expectEqual(printed.last?.contains("s3cret"), false)
  }

  // MARK: Tokens

  private func makeTokens() -> (tokens: BasicAuthManager, service: JsonWebService) {
    // sample: tokens
    return (tokens, service)
  }

  private func signIn(
    through service: JsonWebService, tokens: BasicAuthManager, password: String
  ) async throws(WebServiceError) {
    // sample: signIn
  }

  // sample: authorized

  @Test func expiredTokenIsRenewedFirst() async throws {
    let session = MockURLSession([
      "POST /authenticate": .json(#"{"apiToken": "first", "secondsRemaining": 30}"#),
      "POST /renew": .json(#"{"apiToken": "second", "secondsRemaining": 600}"#),
      "GET /favourites": .json(#"{"text": "A horse walks into a bar."}"#),
    ])
    let (tokens, _) = makeTokens()
    let service = JsonWebService(over: session, tokens: tokens, configuration)
    try await signIn(through: service, tokens: tokens, password: "open sesame")
    expectEqual(tokens.apiToken, "first")
    for _ in 0..<2 {
      _ = try await service.sendRequest(RequestDataForFavourites(), as: Joke.self)
    }
    expectEqual(session.paths, ["/authenticate", "/renew", "/favourites", "/favourites"])
    expectEqual(session.fields("api-token"), [nil, "first", "second", "second"])
  }
}
