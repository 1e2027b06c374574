@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct DemoBackendTests {
  private let backend: DemoBackend
  private let manager = BasicAuthManager()
  private let service: JsonWebService

  init() throws {
    backend = try DemoBackend()
    service = JsonWebService(tokenManager: manager, configuration: WebServiceConfiguration(baseURL: backend.baseURL))
  }

  private func signIn(password: String = DemoAccount.password) async throws -> AuthenticationInfo {
    try await service.sendRequest(RequestDataForAuthenticate(userId: "ann", password: password))
  }

  private func status(_ requestData: some WebServiceRequestData) async -> Int? {
    await thrown { try await service.sendRequest(requestData, as: JokeListResponse.self) }?.statusCode
  }

  @Test func aWrongTokenIsRefused() async {
    manager.update(apiToken: "hunter2", secondsRemaining: 600)
    expectEqual(await status(RequestDataForRandomJokes(numberOfJokes: 3)), 401)
    expectEqual(await status(Request("jokes/random")), 401)
    expectEqual(await status(RequestDataForRenewToken(apiToken: "hunter2")), 401)
  }

  @Test func aBadRequestIsRefused() async throws {
    let info = try await signIn()
    manager.update(apiToken: info.apiToken, secondsRemaining: info.secondsRemaining)
    expectEqual(await status(RequestDataForRandomJokes(numberOfJokes: 0)), 400)
    expectEqual(await status(RequestDataForRandomJokes(numberOfJokes: 101)), 400)
    expectEqual(await status(Request("authenticate", .post, body: ["user": "ann"])), 400)
    expectEqual(await status(Request("nowhere")), 404)
    let other = try await response(.delete, "jokes/7")
    #expect(other.statusCode == 405 && other.headers["Allow"] == "GET, HEAD")
  }

  private func response(
    _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:]
  ) async throws -> WebServiceResponse {
    try await service.sendRequest(
      Request(path, method, headers: headers), parser: .response.mapping(Set(100...999), with: .response))
  }

  @Test func fileHasTheSizeInItsNameAndSupportsRanges() async throws {
    let whole = try await response(.get, "files/40k")
    #expect(whole.statusCode == 200 && whole.body.count == 40_000)
    let part = try await response(.get, "files/40k", ["Range": "bytes=30000-30999"])
    expectEqual(part.statusCode, 206)
    expectEqual(part.headers["Content-Range"], "bytes 30000-30999/40000")
    expectEqual(part.body, whole.body[30_000..<31_000])
    expectEqual(try await response(.get, "files/40k", ["Range": "bytes=-10"]).body, whole.body.suffix(10))
    expectEqual(try await response(.get, "files/40k", ["Range": "bytes=40000-"]).statusCode, 416)
    let other: HTTPHeaders = ["Range": "bytes=0-9", "If-Range": "\"demo-1\""]
    expectEqual(try await response(.get, "files/40k", other).statusCode, 200)
    expectEqual(try await response(.get, "files/many").statusCode, 404)
    let head = try await response(.head, "files/40k")
    #expect(head.statusCode == 200 && head.headers["Content-Length"] == "40000")
  }

  @Test func rateOfAFileIsLimited() async throws {
    let start = SystemClock.shared.now
    expectEqual(try await response(.get, "files/2k?rate=10k").body.count, 2_000)
    #expect(SystemClock.shared.now - start >= 0.15)
  }

  @Test func eventsResumeAfterTheLastReceivedID() async throws {
    var ids: [String] = []
    let request = Request("events", query: ["count": "6"])
    for try await event in service.serverSentEvents(request, reconnecting: ReconnectionPolicy(delay: 0)) {
      ids.append(event.id)
    }
    #expect(ids == (1...6).map { "\($0)" })
    expectEqual(try await response(.get, "events?count=6", ["Last-Event-ID": "6"]).statusCode, 204)
    expectEqual(try await response(.get, "events?count=0").statusCode, 400)
    expectEqual(EventFeed.numbers(after: .max, count: 100), nil)
    expectEqual(EventFeed.numbers(after: -9, count: 100), 1...4)
  }
}
