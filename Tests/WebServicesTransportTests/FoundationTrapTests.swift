@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Testing
  import WebServices
  import WebServicesTesting

  /// Input that crashes the process in Foundation on Linux, which no delegate can prevent. If one of these tests fails,
  /// Foundation has improved: remove the entry from the article "Running on Linux".
  @Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(2)))
  struct FoundationTrapTests {
    @Test("fact 25: trailers crash the process")
    func trailersCrashFoundation() async {
      await #expect(processExitsWith: .failure) {
        let bench = try TransportBench(.foundation)
        _ = await bench.get(answer: .odd(.trailers))
      }
    }

    @Test("fact 25: a truncated head crashes the process")
    func truncatedHeadCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let bench = try TransportBench(.foundation)
        _ = await bench.get(answer: .malformed(.headCutOff))
      }
    }

    @Test("fact 4: a task after the invalidation crashes the process")
    func taskAfterInvalidationCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let bench = try TransportBench(.injected)
        bench.session.invalidateAndCancel()
        _ = await bench.get(answer: .text("ok"))
      }
    }
  }
#endif
