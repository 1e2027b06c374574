@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct RedirectTargetTests {
  @Test(arguments: TransportKind.own)
  func redirectFragmentStaysInTheURLOnly(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.layers = [.coalescing] }
    harness.server.route(.get, "/a", .redirect(to: "/b#part"))
    harness.server.route(.get, "/b", .redirect(to: "/c"))
    harness.server.route(.get, "/c", .text("found"))
    harness.server.route(.get, "/lost", .redirect(to: "/nowhere#part"))
    let expected = harness.server.url("/c").absoluteString + "#part"
    let response = try await harness.service.sendRequest(TestRequest(path: "a"), parser: .response)
    expectEqual(response.url.absoluteString, expected)
    let stream = try await harness.service.stream(TestRequest(path: "a"), as: .data)
    expectEqual(stream.response.url.absoluteString, expected)
    for try await _ in stream {}
    let results = harness.download(TestRequest(path: "a")).results
    expectEqual(try await results.elements(1).first?.get().url.absoluteString, expected)
    let error = await thrown {
      try await harness.service.sendRequest(TestRequest(path: "lost"), parser: .response)
    }
    expectEqual(error?.response?.url.fragment, "part")
    #expect(harness.server.requests.allSatisfy { !$0.target.contains("#") })
  }
}
