@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Testing
  import WebServices
  import WebServicesTesting

  /// Input that crashes the process in Foundation on Linux, which no delegate can prevent. If one of these tests fails,
  /// Foundation has improved: remove the entry from the article "Running on Linux".
  @Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(2)), .leavesNothing)
  struct FoundationTrapTests {
    @Test("fact 25: trailers crash the process")
    func trailersCrashFoundation() async {
      await #expect(processExitsWith: .failure) {
        let harness = try SocketHarness(.foundation)
        _ = await harness.transfer(serving: .odd(.trailers))
      }
    }

    @Test("fact 25: a truncated head crashes the process")
    func truncatedHeadCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let harness = try SocketHarness(.foundation)
        _ = await harness.transfer(serving: .malformed(.headCutOff))
      }
    }

    @Test("fact 4: a task after the invalidation crashes the process")
    func taskAfterInvalidationCrashesFoundation() async {
      await #expect(processExitsWith: .failure) {
        let harness = try SocketHarness(.injected)
        harness.session.invalidateAndCancel()
        _ = await harness.transfer(serving: .text("ok"))
      }
    }
  }
#endif
