import Testing
import WebServices

@testable import FeatherDemo

@Suite struct FailureTextTests {
  private func lines(_ kind: WebServiceError.Kind) -> [String] {
    FailureText(action: "signing in", error: WebServiceError(kind), baseURL: "http://a").lines
  }

  @Test(arguments: [
    WebServiceError.Kind.unexpected, .noConnection, .badURL, .invalidRequest, .token, .notHTTPResponse,
    .statusCode(400), .statusCode(500), .undecodableBody, .sessionFailure, .cancelled, .timedOut,
  ])
  func everyKindSaysWhatHappenedAndWhatToDo(_ kind: WebServiceError.Kind) {
    let lines = lines(kind)
    #expect(lines.count == 2)
    #expect(lines.first == "FeatherDemo: signing in failed. \(WebServiceError(kind).friendlyDescription)")
    #expect(lines.allSatisfy { $0.hasSuffix(".") })
  }

  @Test func theHintFitsTheKind() {
    #expect(lines(.sessionFailure).last?.hasPrefix("Is the server at http://a running?") == true)
    #expect(lines(.timedOut).last?.hasPrefix("Is the server at http://a running?") == true)
    #expect(lines(.statusCode(401)).last?.contains("FEATHER_PASSWORD") == true)
    #expect(lines(.undecodableBody).last?.hasPrefix("Is http://a the right address?") == true)
    #expect(lines(.statusCode(500)).last?.contains("--verbose") == true)
  }

  @Test func anAnswerWithoutBodyIsAFailureToo() {
    let lines = FailureText(action: "signing in", error: nil, baseURL: "http://a").lines
    #expect(lines.first == "FeatherDemo: signing in failed. The service answered without a body.")
  }
}
