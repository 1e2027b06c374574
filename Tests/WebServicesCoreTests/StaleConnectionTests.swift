@testable import WebServicesTestSupport

/// Requests over connections that the server may close at the next request.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct StaleConnectionTests {
  @Test(
    arguments: TransportKind.own, [1, 2] as [UInt64])
  func staleConnectionsCostOnlyUnsafeRequests(_ kind: TransportKind, seed: UInt64) async throws {
    let harness = try SocketHarness(kind)
    let random = Locked(SeededGenerator(seed: seed))
    // The server may respond to the next request, or close the connection after its first byte or after all of it.
    harness.server.route(nil, "/*") { _ in
      let response = LoopbackServer.Response.json(#"{"name": "Bath"}"#)
      return switch random.withLock({ Int.random(in: 0..<5, using: &$0) }) {
      case 0: response
      case 1: response.thenClosingOnNextRequest()
      case 2: response.then(.awaitNextRequest(bytes: 1), .reset)
      case 3: response.then(.awaitNextRequest(bytes: 60), .reset)
      default: response.thenSwallowingNextRequest()
      }
    }
    let failures = Collector<String>()
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<60 {
            let isPost = number % 6 == 5
            let request = TestRequest(
              path: "r/\(sender)/\(number)", method: isPost ? .post : number % 6 == 4 ? .put : .get,
              body: number % 6 < 4 ? nil : .json("a"))
            let error = await harness.error { try await harness.service.sendRequest(request, as: City.self) }
            if let error, !isPost { failures.append("\(error)") }
          }
        }
      }
    }
    #expect(failures.elements.isEmpty)
    let posts = Dictionary(grouping: harness.server.requests(.post), by: \.path)
    #expect(posts.values.allSatisfy { $0.count == 1 })
  }
}
