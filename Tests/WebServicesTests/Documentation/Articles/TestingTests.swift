import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: networkingImport
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
// end of sample

// sample: fakeService
final class FakeService: JsonWebServiceable {
  let response: WebServiceResponse

  init(_ response: WebServiceResponse) {
    self.response = response
  }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let result = Result { try parser.parse(response) }
      .mapError { WebServiceError(.undecodableBody, phase: .read, response: response, underlying: $0) }
    callbackQueue.async { completion(result) }
    return WebServiceTask()
  }
}
// end of sample

// sample: fakeSession
struct TeapotSession: URLSessionProtocol {
  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> FinishedTask {
    let response = request.url.flatMap {
      HTTPURLResponse(url: $0, statusCode: 418, httpVersion: nil, headerFields: nil)
    }
    completionHandler(nil, response, nil)
    return FinishedTask()
  }
}
// end of sample

/// The samples of the article on testing.
@Suite struct TestingTests {
  private typealias Joke = ReadmeTests.Joke
  private typealias RequestDataForJoke = ReadmeTests.RequestDataForJoke

  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))

  @Test func mockSessionRespondsInTurnLateAndFromFiles() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(#"{"text": "From a file"}"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    // sample: mockResponses
    let session = MockURLSession()
    session.script(.get, "/v1/jokes/7", .response(status: 503))
    session.script(.get, "/v1/jokes/7", .file(url))
    session.script(.get, "/v1/jokes/8", .failure(URLError(.networkConnectionLost)))
    session.script(.get, "/v1/jokes/9", .never)
    // end of sample
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    _ = try? await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    #expect(try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self).text == "From a file")
    await #expect(throws: WebServiceError.self) {
      try await service.sendRequest(RequestDataForJoke(id: 8), as: Joke.self)
    }
  }

  @Test func closureMakesResponses() async throws {
    // sample: mockClosure
    let session = MockURLSession { request in
      request.url?.query == "page=2" ? .response(status: 404) : .json(#"[{"text": "Ha"}]"#)
    }
    // end of sample
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    let parser = ResponseParser.json([Joke].self).optional(on: 404)
    #expect(try await service.sendRequest(Request("jokes", query: ["page": 1]), parser: parser)?.count == 1)
    #expect(try await service.sendRequest(Request("jokes", query: ["page": 2]), parser: parser) == nil)
  }

  // sample: virtualClock
  @Test func aRequestTimesOut() async {
    let clock = VirtualClock()
    let session = MockURLSession(clock: clock)
    session.script(.get, "/v1/jokes/7", .never)
    let configuration = WebServiceConfiguration(
      baseURL: URL(string: "https://api.example.com/v1"), timeout: 30, clock: clock)
    let service = JsonWebService(
      session: session, reachability: FakeReachability(), configuration: configuration)

    let joke = Task { try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self) }
    await clock.waitForTimers(1)
    clock.advance(by: 30)
    let error = await #expect(throws: WebServiceError.self) { try await joke.value }
    #expect(error?.kind == .timedOut)
  }
  // end of sample

  // sample: loopback
  @Test func aBrokenConnectionIsAnError() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/jokes/:id") { request in
      .json(#"{"text": "Joke \#(request.parameters["id"] ?? "")"}"#)
    }
    server.route(.get, "/jokes/0", .reset)
    let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))

    let joke = try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    #expect(joke.text == "Joke 7")
    let error = await #expect(throws: WebServiceError.self) {
      try await service.sendRequest(RequestDataForJoke(id: 0), as: Joke.self)
    }
    #expect(error?.kind == .sessionFailure)
  }
  // end of sample

  @Test func cassetteIsRecordedAndReplayed() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let realSession = MockURLSession()
    realSession.script(.get, "/v1/jokes/7", .json(#"{"text": "Recorded"}"#))
    // sample: recording
    let recorder = RecordingSession(realSession)
    let recorded = JsonWebService(
      session: recorder, reachability: FakeReachability(), configuration: configuration)
    _ = try await recorded.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    try recorder.cassette().write(to: file)
    // end of sample
    // sample: replaying
    let session = ReplayingSession(try Cassette(contentsOf: file), matching: .strict)
    let service = JsonWebService(
      session: session, reachability: FakeReachability(), configuration: configuration)
    let joke = try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
    #expect(joke.text == "Recorded")
    #expect(session.remaining.isEmpty)
    // end of sample
  }

  @Test func fakeSessionResponds() async throws {
    let service = JsonWebService(
      session: TeapotSession(), reachability: FakeReachability(), configuration: configuration)
    let error = await #expect(throws: WebServiceError.self) {
      try await service.sendRequest(RequestDataForJoke(id: 1), as: Joke.self)
    }
    #expect(error?.kind == .statusCode(418))
  }

  @Test func fakeServiceReturnsTheParsersValue() async throws {
    let url = try #require(URL(string: "https://api.example.com"))
    let service = FakeService(WebServiceResponse(statusCode: 200, url: url, body: Data(#"{"text": "Ha"}"#.utf8)))
    #expect(try await service.sendRequest(RequestDataForJoke(id: 1), as: Joke.self).text == "Ha")
  }
}
