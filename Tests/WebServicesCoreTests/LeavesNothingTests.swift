@testable import WebServicesTestSupport

@Suite struct LeavesNothingTests {
  private func leftovers(after test: @escaping @Sendable () async throws -> Void) async throws -> [String] {
    let (outcome, leftovers) = await LeavesNothing.leftovers(after: test)
    try outcome.get()
    return leftovers.map(\.name)
  }

  @Test func openRequestsAreFound() async throws {
    let overSockets = try await leftovers {
      let harness = try SocketHarness(session: MockURLSession { _ in .never })
      harness.service.sendRequest(TestRequest(), parser: .nothing, callbackQueue: .global()) { _ in }
    }
    expectEqual(overSockets, ["requests in progress", "timers"])
  }

  @Test func openConnectionIsFound() async throws {
    let other = try #require(TransportKind.own.first).makeSession()
    let leftovers = try await leftovers {
      let harness = try SocketHarness(session: MockURLSession(), closingTimeout: 0.1)
      harness.server.route(.get, "/", .text("kept alive"))
      expectEqual(await other.send(TransportRequest(url: harness.server.url("/"))).text, "kept alive")
    }
    other.invalidateAndCancel()
    expectEqual(leftovers, ["open connections"])
  }

  @Test func checksRunIfTheTestThrows() async throws {
    let (outcome, leftovers) = await LeavesNothing.leftovers {
      VirtualHarness.held().send()
      throw CancellationError()
    }
    #expect(throws: CancellationError.self) { try outcome.get() }
    expectEqual(leftovers.map(\.name), ["requests in progress", "open transfers", "timers"])
  }
}
