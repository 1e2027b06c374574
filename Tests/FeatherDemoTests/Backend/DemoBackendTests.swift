import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct DemoBackendTests {
  private let backend: DemoBackend
  private let manager = BasicAuthManager()
  private let service: JsonWebService

  init() throws {
    backend = try DemoBackend()
    service = JsonWebService(
      tokenManager: manager, configuration: WebServiceConfiguration(baseURL: backend.baseURL))
  }

  private func signIn(password: String = DemoAccount.password) async throws -> AuthenticationInfo {
    try await service.sendRequest(RequestDataForAuthenticate(userId: "ann", password: password))
  }

  private func status(_ requestData: some WebServiceRequestData) async -> Int? {
    do throws(WebServiceError) {
      _ = try await service.sendRequest(requestData, as: JokeListResponse.self)
      return nil
    } catch {
      return error.statusCode
    }
  }

  @Test func signInReturnsATokenForJokes() async throws {
    let info = try await signIn()
    #expect(info.secondsRemaining == 600)
    manager.update(apiToken: info.apiToken, secondsRemaining: info.secondsRemaining)
    let response = try await service.sendRequest(
      RequestDataForRandomJokes(numberOfJokes: 3), as: JokeListResponse.self)
    #expect(response.type == "success")
    #expect(response.value.count == 3)
    #expect(Set(response.value.map(\.id)).count == 3)
  }

  @Test func oneJokeNeedsNoToken() async throws {
    let joke = try await service.sendRequest(OneJoke(id: 7), as: [String: String].self)
    #expect(joke == ["text": JokeCollection.all[6].joke])
    #expect(await status(OneJoke(id: 0)) == 404)
  }

  @Test func aWrongPasswordIsRefused() async {
    await #expect { try await signIn(password: "hunter2") } throws: { error in
      (error as? WebServiceError)?.kind == .statusCode(401)
    }
  }

  @Test func aWrongTokenIsRefused() async {
    manager.update(apiToken: "hunter2", secondsRemaining: 600)
    #expect(await status(RequestDataForRandomJokes(numberOfJokes: 3)) == 401)
    #expect(await status(JokesWithoutToken()) == 401)
    #expect(await status(RequestDataForRenewToken(apiToken: "hunter2")) == 401)
  }

  @Test func renewedTokenReplacesTheFormerOne() async throws {
    let first = try await signIn()
    let second = try await service.sendRequest(
      RequestDataForRenewToken(apiToken: first.apiToken), as: AuthenticationInfo.self)
    manager.update(apiToken: first.apiToken, secondsRemaining: 600)
    #expect(await status(RequestDataForRandomJokes(numberOfJokes: 1)) == 401)
    manager.update(apiToken: second.apiToken, secondsRemaining: 600)
    #expect(await status(RequestDataForRandomJokes(numberOfJokes: 1)) == nil)
  }

  @Test func aBadRequestIsRefused() async throws {
    let info = try await signIn()
    manager.update(apiToken: info.apiToken, secondsRemaining: info.secondsRemaining)
    #expect(await status(RequestDataForRandomJokes(numberOfJokes: 0)) == 400)
    #expect(await status(RequestDataForRandomJokes(numberOfJokes: 101)) == 400)
    #expect(await status(BadSignIn()) == 400)
    #expect(await status(Nowhere()) == 404)
  }

  private struct OneJoke: WebServiceRequestData {
    var id: Int
    var path: String { "jokes/\(id)" }
  }

  private struct JokesWithoutToken: WebServiceRequestData {
    var path: String { "jokes/random" }
  }

  private struct Nowhere: WebServiceRequestData {
    var path: String { "nowhere" }
  }

  private struct BadSignIn: WebServiceRequestData {
    var path: String { "authenticate" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { ["user": "ann"] }
  }
}
