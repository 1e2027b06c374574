import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct OutageTextTests {
  private let server = WebServiceError(
    .statusCode(503), attemptCount: 2,
    response: URL(string: "http://host").map { WebServiceResponse(statusCode: 503, url: $0) })

  @Test func outcomesAreDescribed() {
    #expect(OutageText.outcome(.success(())) == "success")
    #expect(OutageText.outcome(.failure(server)) == "status 503 after 2 attempts")
    let open = CircuitOpenError(host: "host", retryAfter: 1.256)
    #expect(
      OutageText.outcome(.failure(WebServiceError(.circuitOpen, underlying: open)))
        == "not sent: the circuit is open for another 1.26 s")
    #expect(
      OutageText.outcome(.failure(WebServiceError(.circuitOpen, attemptCount: 1, underlying: open)))
        == "1 sent, then the circuit is open for another 1.26 s")
  }

  @Test func eachAttemptIsOneLine() {
    let events = TimelineTests.events([
      (0, 1, .sent), (0.1, 1, .retried(after: 0.25, cause: .status(503))), (0.5, 2, .delivered(.success)),
    ])
    #expect(
      OutageText.attempts(events) == [
        "attempt 1: status 503, next attempt after 250.0 ms", "attempt 2: success, 500.0 ms after the call",
      ])
  }
}
