@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// Completions on a concurrent queue, while the session's thread works. A completion may block, send requests or end
  /// the session.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CurlCompletionTests {
    private let server: LoopbackServer
    private let service: JsonWebService
    private let session: CurlSession

    init() throws {
      server = try LoopbackServer.forTest()
      server.route(.get, "/", .json("[1]"))
      session = try CurlSession.forTest()
      service = JsonWebService(session: session, configuration: WebServiceConfiguration(baseURL: server.url("/")))
    }

    private func end() async {
      service.invalidateAndCancel()
      await session.driver.ended()
    }

    private func send(on queue: DispatchQueue, completion: @escaping @Sendable (Bool) -> Void) {
      service.sendRequest(Request("/"), callbackQueue: queue) { (result: WebServiceResult<[Int]>) in
        if case .success([1]) = result { completion(true) } else { completion(false) }
      }
    }

    @Test func chainOfCompletionsSendsEachRequest() async {
      let tally = Collector<Void>()
      @Sendable func step(_ left: Int) {
        send(on: .global()) { isGood in
          #expect(isGood)
          tally.add()
          if left > 1 { step(left - 1) }
        }
      }
      step(500)
      await tally.waitForElements(500)
      expectEqual(server.connectionsAccepted, 1)
      await end()
    }

    @Test func invalidationFromACompletionEnds() async {
      let ended = Collector<Void>()
      let session = session
      send(on: .global()) { _ in
        session.invalidateAndCancel()
        while session.driver.hasLoop { sched_yield() }
        ended.add()
      }
      await ended.waitForElements(1)
      expectEqual(await session.send(TransportRequest(url: server.url("/"))).error?.kind, .invalidated)
      await end()
    }
  }
#endif
