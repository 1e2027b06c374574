import Foundation
import Testing
import WebServices
import WebServicesTesting

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
    let session = MockURLSession()
    session.script(.get, "/jokes/7", response)
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    let model = JokeModel(
      service: JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration))
    await model.load()
    #expect(model.text == shown)
  }

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))

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
