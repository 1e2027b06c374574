@testable import WebServicesTestSupport

// sample: networkingImport

// sample: fakeService

// sample: fakeSession

/// The samples of the article on testing.
@Suite struct TestingTests {
  private typealias Joke = ReadmeTests.Joke
  private typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))

  @Test func mockSessionRespondsInTurnLateAndFromFiles() async throws {
    let file = try TemporaryFile(Data(#"{"text": "From a file"}"#.utf8), name: "joke.json")
    defer { withExtendedLifetime(file) {} }
    let url = file.url
    // sample: mockResponses
    let service = JsonWebService(over: session, configuration)
    _ = try? await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    expectEqual(try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self).text, "From a file")
    await thrown { try await service.sendRequest(RequestDataForJoke(id: 8), as: Joke.self) }
  }

  @Test func closureMakesResponses() async throws {
    // sample: mockClosure
    let service = JsonWebService(over: session, configuration)
    let parser = ResponseParser.json([Joke].self).optional(on: 404)
    expectEqual(try await service.sendRequest(Request("jokes", query: ["page": 1]), parser: parser)?.count, 1)
    #expect(try await service.sendRequest(Request("jokes", query: ["page": 2]), parser: parser) == nil)
  }

  // sample: virtualClock

  // sample: retryTest

  // sample: loopback

  @Test func cassetteIsRecordedAndReplayed() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("jokes.json")
    let realSession = MockURLSession(["GET /v1/jokes/7": .json(#"{"text": "Recorded"}"#)])
    // sample: recording
    // sample: replaying
  }

  /// The cassette of the sample would be beside the article.
  @Suite(.disabled()) struct Recorded {
    private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))

    // sample: cassetteTrait
  }

  @Test func fakeSessionResponds() async throws {
    let service = JsonWebService(over: TeapotSession())
    let error = await thrown { try await service.sendRequest(RequestDataForJoke(id: 1), as: Joke.self) }
    expectEqual(error?.kind, .statusCode(418))
  }

  @Test func fakeServiceReturnsTheParsersValue() async throws {
    let url = try #require(URL(string: "https://api.example.com"))
    let service = FakeService(WebServiceResponse(statusCode: 200, url: url, body: Data(#"{"text": "Ha"}"#.utf8)))
    expectEqual(try await service.sendRequest(RequestDataForJoke(id: 1), as: Joke.self).text, "Ha")
  }
}
