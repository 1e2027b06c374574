import Testing
import WebServices

@testable import FeatherDemo

/// Delivers the results that the test sets.
private struct StubMenuService: MenuServicing {
  var login: Result<LoginResponse, WebServiceError> = .success(.fixture)
  var results: Result<[LotoResult], WebServiceError> = .success([.whole, .bare])

  func login(with username: String, password: String, completionHandler: @escaping LoginCompletion) -> WebServiceTask {
    Task { await completionHandler(login) }
    return WebServiceTask()
  }

  func results(of userId: String, completionHandler: @escaping ResultsCompletion) -> WebServiceTask {
    let isKnown = userId == LoginResponse.fixture.userId
    Task { await completionHandler(isKnown ? results : .failure(WebServiceError(.statusCode(404)))) }
    return WebServiceTask()
  }
}

@MainActor
@Suite struct MenuScreenTests {
  private func load(_ service: StubMenuService) async -> Result<MenuScreen.Content, MenuScreen.Failure> {
    await MenuScreen(service: service, spinner: Spinner(isShown: false)).load(username: "ann", password: "x")
  }

  @Test func loginLoadsTheResultsOfItsUser() async {
    #expect(await load(StubMenuService()) == .success(.init(login: .fixture, results: [.whole, .bare])))
  }

  @Test func failureNamesTheStepThatFailed() async {
    let error = WebServiceError(.timedOut)
    #expect(
      await load(StubMenuService(login: .failure(error))) == .failure(.init(action: "logging in", error: error)))
    #expect(
      await load(StubMenuService(results: .failure(error)))
        == .failure(.init(action: "fetching results", error: error)))
  }
}

@Suite struct MenuRendererTests {
  @Test func loginIsOneLine() {
    #expect(MenuRenderer.line(for: LoginResponse.fixture) == "Logged in as Ann (id 4711).")
    #expect(MenuRenderer.line(for: LoginResponse(userId: "1\n", name: "A\nB")) == "Logged in as A B (id 1).")
  }

  @Test func resultLineOmitsMissingMembers() {
    #expect(
      MenuRenderer.lines(for: [.whole, .bare]) == [
        "2024-05-04  Saturday: 3 14 + 9, 1 prize", "2024-05-08  Wednesday: 2 7, prizes not known yet",
      ])
    #expect(MenuRenderer.lines(for: []) == ["There are no results."])
  }

  @Test func errorShowsTheServersMessage() {
    let body = MenuResponseError(message: "No\nentry.", code: "17")
    #expect(
      MenuRenderer.lines(for: .unauthorizedAccess(body), action: "logging in") == [
        "FeatherDemo: logging in failed. The service says: No entry. (17)",
        "Check the user (--user) and the password (FEATHER_PASSWORD).",
      ])
    #expect(
      MenuRenderer.lines(for: .response(MenuResponseError(message: "Later.")), action: "a")
        == ["FeatherDemo: a failed. The service says: Later."])
    #expect(
      MenuRenderer.lines(for: .generalResponseError, action: "a")
        == ["FeatherDemo: a failed. The service refused it without a reason."])
  }
}
