import Foundation
import Testing

@testable import WebServices

@Suite("Whether a refused token can be replaced")
struct RequestRunStateTests {
  private struct OneShot: TransportBodyStream {
    let length: Int64? = nil
    var isReplayable: Bool
    func makeReader() throws -> any TransportBodyReader { throw CocoaError(.fileNoSuchFile) }
  }

  private func canReauthorize(
    _ body: TransportBody, credential: String? = "secret", change: (inout RequestRunState) -> Void = { _ in }
  ) throws -> Bool {
    var state = RequestRunState()
    state.token = AccessToken(value: "secret")
    state.credentialNames = ["api-token"]
    state.credentials = ["secret"]
    change(&state)
    var request = TransportRequest(
      method: .post, url: try #require(URL(string: "https://api.example.com/")), body: body)
    request.headers["API-Token"] = credential
    return state.canReauthorize(request)
  }

  @Test("Only a body that can be replayed is")
  func bodies() throws {
    #expect(try canReauthorize(.none))
    #expect(try canReauthorize(.data(Data("a".utf8))))
    #expect(try canReauthorize(.file(URL(fileURLWithPath: "/a"))))
    #expect(try canReauthorize(.stream(OneShot(isReplayable: true))))
    #expect(try !canReauthorize(.stream(OneShot(isReplayable: false))))
  }

  @Test("Only where the request carried the manager's token")
  func credentials() throws {
    #expect(try !canReauthorize(.none, credential: nil))
    #expect(try !canReauthorize(.none, credential: "somebody else's"))
    #expect(try !canReauthorize(.none) { $0.token = nil })
    #expect(try !canReauthorize(.none) { $0.credentialNames = [] })
  }

  @Test("Only once")
  func once() throws {
    #expect(
      try !canReauthorize(.none) { state in
        for event in [.started, .described, .admitted, .authorized, .unauthorized(exchange: 1)]
          as [RequestStateMachine.Event]
        {
          _ = state.machine.handle(event)
        }
      })
  }
}
