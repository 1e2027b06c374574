import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct CapturingSessionTests {
  @Test func itKeepsWhatTheEngineWouldSend() async throws {
    let session = CapturingSession()
    let service = JsonWebService(session: session, reachability: FakeReachability(isConnected: true))
    let arguments = Arguments(
      command: .request, method: .post, target: Target("http://host/a?b=c"), headers: ["X-Note": "d"],
      body: .json("{}"))
    try await service.sendRequest(RequestDataForAnything(arguments), parser: .nothing)
    let request = try #require(session.request)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "http://host/a?b=c")
    #expect(request.headers["X-Note"] == "d" && request.headers["Content-Type"] == "application/json")
  }
}
