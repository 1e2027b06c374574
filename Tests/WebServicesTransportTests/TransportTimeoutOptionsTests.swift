@testable import WebServicesTestSupport

/// Timeouts that only the transport measures. No other timeout passes, because the virtual clock of the harness stands
/// still.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportTimeoutOptionsTests {
  @Test func idleTimeoutDoesNotEndAConnectingDownload() async throws {
    let harness = VirtualHarness.scripted()
    harness.session.script(.get, "/cities", .never)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let results = Collector<Result<WebServiceResponse, WebServiceError>>()
    let options = RequestOptions {
      $0.timeout = 30
      $0.idleTimeout = 1
    }
    harness.service.download(TestRequest(options: options), to: file, callbackQueue: .global()) { results.append($0) }
    await harness.session.waitForRequests(1)
    harness.clock.advance(by: 29)
    #expect(results.elements.isEmpty)
    harness.clock.advance(by: 2)
    await results.waitForElements(1)
  }

  #if os(Linux)
    @Test func connectTimeoutEndsAnUnsentRequest() async throws {
      // A listener whose backlog is full accepts no connection.
      let listener = try FullListener()
      defer { listener.close() }
      let harness = try SocketHarness(.curl)
      // A connection that isn't open yet isn't idle.
      let options = RequestOptions {
        $0.connectTimeout = 0.15
        $0.idleTimeout = 0.05
      }
      let request = TestRequest(path: "http://127.0.0.1:\(listener.port)/", method: .post, options: options)
      let error = await thrown { try await harness.service.sendRequest(request, parser: .nothing) }
      expectEqual(error?.kind, .timedOut)
      let cause = error?.underlying(as: TransportError.self)
      // libcurl until 7.86 would wait for a look-up if it kept the timeout itself.
      #expect(cause?.kind == .timedOut(.connect) && cause?.mayHaveReachedServer == false && cause?.underlying == nil)
    }
  #endif
}
