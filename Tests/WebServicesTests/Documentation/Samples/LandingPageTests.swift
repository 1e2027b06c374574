@testable import WebServicesTestSupport

/// The samples of the landing page that stand in no other document.
@Suite struct LandingPageTests {
  typealias Joke = ReadmeTests.Joke
  typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  // sample: appModel

  @Test(arguments: [
    (MockResponse.json(#"{"text": "A horse walks into a bar."}"#), "A horse walks into a bar."),
    (.status(404), "This doesn't exist (any more)."),
  ])
  @MainActor
  func modelOfAnAppShowsTheJokeOrTheProblem(response: MockResponse, shown: String) async {
    let model = JokeModel(service: JsonWebService(over: MockURLSession(["GET /jokes/7": response])))
    await model.load()
    expectEqual(model.text, shown)
  }

  private let configuration = WebServiceConfiguration.sample

  // sample: appModelTest

  private func runTool(with url: URL, print: @escaping @Sendable (String) -> Void) async throws {
    // sample: tool
  }

  @Test func toolPrintsTheJokeAndALog() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))
    let (lines, sink) = AsyncStream.makeStream(of: String.self)
    try await runTool(with: server.baseURL) { sink.yield($0) }
    var printed: [String] = []
    for await line in lines.prefix(3) { printed.append(line) }
    #expect(printed.contains("A horse walks into a bar."))
    #expect(printed.contains { $0.contains("GET") })
  }
}
