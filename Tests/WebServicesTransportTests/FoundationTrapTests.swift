@testable import WebServicesTestSupport
#if os(Linux)
  /// Input that crashes the process in Foundation on Linux, which no delegate can prevent. If one of these tests fails,
  /// Foundation has improved: remove the entry from the article "Running on Linux".
  ///
  /// No harness is used, because the trait `.leavesNothing` doesn't reach the process of an exit test.
  @Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(2)))
  struct FoundationTrapTests {
    @Test("fact 25: trailers crash the process")
    func trailersCrashFoundation() async {
      await #expect(processExitsWith: .failure) {
        let server = try LoopbackServer()
        server.route(nil, "/", .odd(.trailers))
        _ = await FoundationSession().send(TransportRequest(url: server.url("/")))
      }
    }

    @Test("fact 25: a truncated head crashes the process")
    func truncatedHeadCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let server = try LoopbackServer()
        server.route(nil, "/", .malformed(.headCutOff))
        _ = await FoundationSession().send(TransportRequest(url: server.url("/")))
      }
    }

    @Test("fact 4: a task after the invalidation crashes the process")
    func taskAfterInvalidationCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let server = try LoopbackServer()
        server.route(nil, "/", .text("ok"))
        let session = URLSession(configuration: .webServices)
        session.invalidateAndCancel()
        _ = await session.send(TransportRequest(url: server.url("/")))
      }
    }
  }
#endif
