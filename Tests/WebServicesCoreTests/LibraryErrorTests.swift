import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesStreaming

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct LibraryErrorTests {
  private func text(of underlying: any Error) -> String {
    "\(WebServiceError(.unexpected, underlying: underlying))"
  }

  @Test(
    arguments: [
      (TokenError.signedOut, "TokenError: the user has signed out"),
      (TokenError.notSignedIn, "TokenError: nobody is signed in"),
      (
        CredentialsError.colonInUser,
        "CredentialsError: the user name contains a colon, which Basic credentials don't allow"
      ),
      (
        CircuitOpenError(host: "h:81", retryAfter: 4.25),
        "h:81 keeps failing, so no request is sent to it for another 4.2 s"
      ),
      (CircuitOpenError(host: "h", retryAfter: 0), "h keeps failing, and another request is probing it"),
      (WrongPart(), "the response is a part of the file that wasn't requested"),
    ] as [(any Error, String)])
  func errorsDescribeThemselves(error: any Error, words: String) {
    #expect(text(of: error).contains(words))
    #expect((error as? any LocalizedError)?.errorDescription.map { text(of: error).contains($0) } ?? true)
  }

  @Test func everyTokenErrorHasItsDescription() {
    let errors: [TokenError] = [
      .notSignedIn, .expired, .emptyResponse, .expiredResponse, .renewalTimedOut, .renewalNeedsToken, .noRenewalService,
      .signedOut,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
  }

  #if os(Linux)
    @Test func tooLargeHeaderIsNoMemoryError() async throws {
      let harness = try SocketHarness(.curl)
      harness.server.route(.get, "/a", .text("found"))
      let request = TestRequest(path: "a", headers: ["X-Large": String(repeating: "x", count: 2_000_000)])
      let error = await harness.error { try await harness.service.sendRequest(request, parser: .response) }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.message == "the head of the request is larger than libcurl accepts")
      #expect(error?.attemptCount == 0)
      #expect(harness.server.requests.isEmpty)
    }
  #endif
}
