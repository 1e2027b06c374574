@testable import WebServicesTestSupport

#if os(Linux)
  @testable import WebServicesTransport

  /// Opens and ends many sessions at once. `scripts/jitter` runs this for a minute, with delays after each unlock.
  @Suite(.serialized, .leavesNothing)
  struct CurlStressTests {
    /// How long the test runs, in seconds.
    private static let seconds = Double(ProcessInfo.processInfo.environment["WEBSERVICES_TESTS_STRESS"] ?? "") ?? 0.5

    @Test(.timeLimit(.minutes(3)))
    func sessionsThatEndAtAnyMomentCompleteEachTaskOnce() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      server.route(.get, "/never", .never)
      let end = MonotonicTime.seconds + Self.seconds
      while MonotonicTime.seconds < end {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<8 { group.addTask { try await use(server, index) } }
          try await group.waitForAll()
        }
      }
      #expect(await server.waitForOpenConnections(count: 0))
    }

    /// Sends four requests through one session, two of which get no response, and ends the session meanwhile.
    private func use(_ server: LoopbackServer, _ index: Int) async throws {
      let session = try CurlSession.forTest()
      let completions = Collector<Int>()
      func send(_ number: Int, _ path: String, _ timeouts: TransportRequest.Timeouts = .init()) {
        let request = TransportRequest(url: server.url(path), timeouts: timeouts)
        session.transferTask(with: request) { _ in
          completions.append(number)
        }.resume()
      }
      for number in 0..<2 {
        send(number, "/")
        if index % 2 == 0 { await completions.waitForElements(number + 1) }
      }
      await completions.waitForElements(2)
      for number in 2..<4 { send(number, "/never", .init(idle: Double.random(in: 0.0005...0.002))) }
      let moment = MonotonicTime.seconds + Double.random(in: 0...0.002)
      while MonotonicTime.seconds < moment { await Task.yield() }
      if index % 3 == 0 { session.driver.endWithLastTask() } else { session.invalidateAndCancel() }
      await completions.waitForElements(4)
      // A session may be released while its thread frees everything.
      while session.driver.hasLoop { session.driver.endWithLastTask() }
      expectEqual(completions.elements.sorted(), [0, 1, 2, 3])
    }
  }
#endif
