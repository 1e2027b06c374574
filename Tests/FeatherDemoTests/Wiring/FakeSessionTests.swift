import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct FakeSessionTests {
  private func service(_ session: MockURLSession) -> JsonWebService {
    JsonWebService(
      session: session, reachability: FakeReachability(isConnected: true),
      configuration: WebServiceConfiguration(baseURL: URL(string: "http://\(FakeSession.host)")))
  }

  @Test func fakeSessionRespondsWithItemsAndEvents() async throws {
    let service = service(FakeSession.make(for: Arguments(command: .items, count: 3, pageSize: 20)))
    let pages = PageSequence<PageRange, ItemPage>.offsets(limit: 20, items: { $0.items }, total: { $0.total }) {
      try await service.sendRequest(RequestDataForItems(range: $0), parser: .json(ItemPage.self))
    }
    #expect(try await pages.elements { $0.items }.collect() == ItemCollection.all)
    var ids: [String] = []
    let policy = ReconnectionPolicy(delay: 0)
    for try await event in service.serverSentEvents(RequestDataForEvents(count: 3), reconnecting: policy) {
      ids.append(event.id)
    }
    #expect(ids == ["1", "2", "3"])
  }

  @Test(arguments: [
    Arguments(command: .request, method: .put, target: .path("a b/ü")),
    Arguments(command: .request, target: .path("/")),
    Arguments(command: .download, target: Target("http://host")),
    Arguments(command: .upload, file: "/tmp/some file"),
    Arguments(command: .upload, target: Target("http://host/a?b=c"), file: "/tmp/x"),
  ])
  func fakeSessionRespondsToEachCommand(_ arguments: Arguments) async throws {
    let service = service(FakeSession.make(for: arguments))
    var request = RequestDataForAnything(arguments)
    if arguments.command == .upload {
      let upload = RequestDataForUpload(file: URL(fileURLWithPath: arguments.file), to: arguments.target) { _ in }
      request = RequestDataForAnything(
        Arguments(command: .request, method: .put, target: .path(upload.path)))
    }
    let response = try await service.sendRequest(request, parser: .response)
    #expect(response.statusCode == 200)
  }

  @Test func fakeResponsesDecodeIntoTheModels() async throws {
    let manager = BasicAuthManager { RequestDataForRenewToken(apiToken: $0) }
    let session = FakeSession.make(for: Arguments(count: 3))
    let service = JsonWebService(
      session: session, tokenManager: manager, reachability: FakeReachability(isConnected: true),
      configuration: WebServiceConfiguration(baseURL: URL(string: "http://\(FakeSession.host)")))
    let info = try await service.sendRequest(
      RequestDataForAuthenticate(userId: "ann", password: "any"), as: AuthenticationInfo.self)
    #expect(info.secondsRemaining == 600)
    // The token is about to expire, so the next request renews it with the scripted renewal.
    manager.update(apiToken: info.apiToken, secondsRemaining: 30)
    let jokes = try await service.sendRequest(
      RequestDataForRandomJokes(numberOfJokes: 3), as: JokeListResponse.self)
    #expect(jokes.type == "success")
    #expect(jokes.value.map(\.id) == [1, 2, 3])
    #expect(session.requests.compactMap { $0.url?.path } == ["/authenticate", "/renew", "/jokes/random"])
  }
}
