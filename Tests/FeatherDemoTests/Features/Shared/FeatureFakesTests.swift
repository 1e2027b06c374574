import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

/// The features in a build with `USE_FAKES`.
@MainActor
@Suite struct FeatureFakesTests {
  private let service = TestService.make(
    over: FakeSession.make(for: Arguments(command: .photo, photoID: 12, user: "ann")))

  private func url() throws -> URL { try #require(URL(string: "http://localhost/")) }

  @Test func fakeSessionRespondsWithCities() async throws {
    let manager = BasicAuthManager()
    manager.update(apiToken: "canned", secondsRemaining: 600)
    let service = JsonWebService(session: FakeSession.make(for: Arguments(command: .cities)), tokenManager: manager)
    let controller = CitiesBusinessController(
      accessible: AuthenticatedAccessor<KongAuth>(service: service, environment: .demo(at: try url())))
    #expect(try await controller.fetch() == .fixture)
  }

  @Test func fakeSessionRespondsWithTheRequestedPhoto() async throws {
    let photo = try await Networker(service: service).load(Photo.single(by: 12, with: url()))
    #expect(photo.id == 12)
  }

  @Test func fakeSessionRespondsToLoginAndResults() async throws {
    let screen = MenuScreen(service: MenuService(service: service), spinner: Spinner(isShown: false))
    // The scripted results belong to the backend's user id, so the scripted user must have it.
    let content = try await screen.load(username: "ann", password: "any").get()
    #expect(content.login.userId == "4711")
    #expect(content.results.count == 2)
  }

  @Test func slowAccountCallsNeverGetAResponse() async throws {
    let (user, received) = (AppUser(), Locked<[AccountEvent]>([]))
    let back = Back(user: user, base: try url()) { config in
      let authorization = config.headers["Authorization"]
      config.session = {
        FakeSession.make(for: Arguments(command: .account, user: "ann"), authorization: authorization)
      }
    }
    let second = AppUser.Credentials(username: AccountStory.secondUser, password: "any")
    try await AccountStory(user: user, back: back) { event in received.withLock { $0.append(event) } }
      .run(first: AppUser.Credentials(username: "ann", password: "any"), second: second)
    let events = received.withLock { $0 }
    #expect(events.filter { $0.kind == .cancelled }.count == 4)
    #expect(events.filter { $0.kind == .succeeded }.map(\.user) == ["ann", AccountStory.secondUser])
    #expect(events.last == AccountEvent(kind: .refused, call: "/account", status: 401))
  }
}
