import Foundation
import Testing
import WebServices
import WebServicesDoubles

@testable import FeatherDemo

@MainActor
@Suite struct MenuServiceTests {
  private let session = MockURLSession()
  private let service: MenuService

  init() {
    service = MenuService(service: TestService.make(over: session))
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
    session.script(.post, "/menu/login", .json(LoginResponse.cannedResponse))
    #expect(await login().value == .fixture)
    let request = try #require(session.requests.first)
    #expect(request.url?.query == nil)
    #expect(
      request.httpBody.map { String(decoding: $0, as: UTF8.self) } == "password=a%20b%26c%3Dd&username=ann"
        || request.httpBody.map { String(decoding: $0, as: UTF8.self) } == "password=a+b%26c%3Dd&username=ann")
  }

  @Test func resultsRequestNamesTheUser() async throws {
    session.script(.get, "/menu/results", .json(LotoResult.cannedResponse))
    #expect(await results().value == [.whole, .bare])
    #expect(session.requests.first?.url?.query == "user=47%2F11")
  }

  @Test(arguments: [
    (401, #"{"message": "no", "code": 17}"#, MenuError.unauthorizedAccess(.init(message: "no", code: "17"))),
    (400, #"{"message": "no"}"#, .response(.init(message: "no"))),
    (503, #"{"message": "later"}"#, .response(.init(message: "later"))),
    (500, "<html>", .generalResponseError), (401, "", .generalResponseError),
  ])
  func serverErrorsBecomeMenuErrors(_ status: Int, _ body: String, _ expected: MenuError) async {
    session.script(.post, "/menu/login", .json(body, status: status))
    let error = await login().error
    #expect(error?.kind == .statusCode(status))
    #expect(error?.underlying(as: MenuError.self) == expected)
  }

  @Test func firstRefusingValidatorDecides() async {
    // Status 304 isn't an error status, so the second validator fails. A good status with a wrong type fails in the
    // third.
    session.script(.post, "/menu/login", .json(#"{"message": "no"}"#, status: 304))
    session.script(
      .post, "/menu/login",
      .data(Data(LoginResponse.cannedResponse.utf8), headers: ["Content-Type": "text/html"]))
    let first = await login().error
    #expect(first?.kind == .statusCode(304))
    #expect(first?.underlying(as: MenuError.self) == nil)
    #expect(await login().error?.kind == .invalidResponse)
  }

  @Test func descriptionsHideThePassword() {
    let request = RequestDataForLogin(username: "ann", password: "hunter2")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!"\(request) \(dumped)".contains("hunter2"))
  }
}
