import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct FakeSessionTests {
  @Test func theCannedAnswersAreThoseOfTheService() async throws {
    let manager = BasicAuthManager { RequestDataForRenewToken(apiToken: $0) }
    let session = FakeSession.make(numberOfJokes: 3)
    let service = JsonWebService(
      session: session, tokenManager: manager, reachability: FakeReachability(isConnected: true),
      configuration: WebServiceConfiguration(baseURL: URL(string: "http://\(FakeSession.host)")))
    let info = try await service.sendRequest(
      RequestDataForAuthenticate(userId: "ann", password: "any"), as: AuthenticationInfo.self)
    #expect(info?.secondsRemaining == 600)
    // One that is about to expire, so that the canned renewal is asked for, too.
    manager.update(apiToken: try #require(info).apiToken, secondsRemaining: 30)
    let jokes = try await service.sendRequest(
      RequestDataForRandomJokes(numberOfJokes: 3), as: JokeListResponse.self)
    #expect(jokes?.type == "success")
    #expect(jokes?.value.map(\.id) == [1, 2, 3])
    #expect(session.requests.compactMap { $0.url?.path } == ["/authenticate", "/renew", "/jokes/random"])
  }
}
