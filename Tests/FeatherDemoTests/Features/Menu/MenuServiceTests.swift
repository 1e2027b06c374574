@testable import WebServicesTestSupport

@testable import FeatherDemo

@MainActor
@Suite struct MenuServiceTests {
  private let session = MockURLSession()
  private let service: MenuService

  init() {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "http://localhost"))
    service = MenuService(
      service: JsonWebService(session: session, tokenManager: BasicAuthManager(), configuration: configuration))
  }

  private func login() async -> Result<LoginResponse, WebServiceError> {
    await withCheckedContinuation { continuation in
      service.login(with: "ann", password: "a b&c=d") { continuation.resume(returning: $0) }
    }
  }

  private func results() async -> Result<[LotoResult], WebServiceError> {
    await withCheckedContinuation { continuation in
      service.results(of: "47/11") { continuation.resume(returning: $0) }
    }
  }

  @Test func loginIsSentAsFormInTheBody() async throws {
    for id in ["4711", #""4711""#] {
      session.script(.post, "/menu/login", .json(#"{"userId": \#(id), "name": "Ann"}"#))
      expectEqual(await login().value, LoginResponse(userId: "4711", name: "Ann"))
    }
    expectEqual(session.requests.map(\.url?.query), [nil, nil])
    expectEqual(session.requests.first?.httpBody, Data("password=a+b%26c%3Dd&username=ann".utf8))
  }

  @Test func resultsOfTheNamedUserAreDecoded() async throws {
    session.script(.get, "/menu/results", .json(DemoBackend.lotoResults))
    session.script(.get, "/menu/results", .json(#"[{"draw": {"id": 1, "name": "x"}}]"#))
    let found = try await results().get()
    expectEqual(session.requests.first?.url?.query, "user=47%2F11")
    expectEqual(found.map(\.draw.id), ["1041", "1042-W"])
    expectEqual(found.map(\.drawingDate.timeIntervalSince1970), [1_714_845_600, 1_715_191_200])
    expectEqual(found.map(\.extraNumber), [9, nil])
    expectEqual(found.map(\.prizes), [[Prize(id: "1", winners: 2), Prize(id: "1b", winners: 31)], nil])
    expectEqual(await results().error?.kind, .undecodableBody)
  }

  @Test(arguments: [
    (401, #"{"message": "no", "code": 17}"#, MenuError.unauthorizedAccess(.init(message: "no", code: "17"))),
    (400, #"{"message": "no"}"#, .response(.init(message: "no"))),
    (503, #"{"message": "later"}"#, .response(.init(message: "later"))),
    (500, "<html>", .generalResponseError), (401, "", .generalResponseError),
    // Not an error status, so the second validator fails.
    (304, #"{"message": "no"}"#, nil),
  ])
  func serverErrorsBecomeMenuErrors(_ status: Int, _ body: String, _ expected: MenuError?) async {
    session.script(.post, "/menu/login", .json(body, status: status))
    let error = await login().error
    expectEqual(error?.kind, .statusCode(status))
    expectEqual(error?.underlying(as: MenuError.self), expected)
  }

  @Test func wrongTypeFailsInTheThirdValidator() async {
    session.script(.post, "/menu/login", .text(#"{"userId": 4711, "name": "Ann"}"#))
    expectEqual(await login().error?.kind, .invalidResponse)
  }

  @Test func descriptionsHideThePassword() {
    let request = RequestDataForLogin(username: "ann", password: "hunter2")
    #expect(!printedTexts(of: request).contains("hunter2"))
  }
}
