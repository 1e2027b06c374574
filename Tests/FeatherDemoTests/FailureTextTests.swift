import Foundation
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

  @Test func hintDependsOnTheErrorKind() {
    #expect(lines(.sessionFailure).last?.hasPrefix("Is the server at http://a running?") == true)
    #expect(lines(.timedOut).last?.hasPrefix("Is the server at http://a running?") == true)
    #expect(lines(.statusCode(401)).last?.contains("FEATHER_PASSWORD") == true)
    #expect(lines(.undecodableBody).last?.hasPrefix("Is http://a the right address?") == true)
    #expect(lines(.statusCode(500)).last?.contains("--verbose") == true)
  }

  @Test func hintOmitsTheAddressOfTheBuiltInBackend() {
    for error in [WebServiceError(.statusCode(404)), WebServiceError(.sessionFailure), nil] {
      let text = FailureText(
        action: "downloading", error: error, baseURL: "http://127.0.0.1:1", command: .download, isOwnBackend: true)
      #expect(!text.lines.joined().contains("127.0.0.1"))
      #expect(text.lines.count == 2)
    }
  }

  @Test func fileFailureNamesPathAndReason() {
    let missing = CocoaError(.fileNoSuchFile)
    let errors = [
      WebServiceError(.file, underlying: missing),
      WebServiceError(.file, underlying: POSIXError(.ENOENT)),
      WebServiceError(
        .sessionFailure,
        underlying: TransportError(.file, message: "", mayHaveReachedServer: false, underlying: missing)),
    ]
    for error in errors {
      let text = FailureText(action: "uploading", error: error, baseURL: "http://a", command: .upload, file: "/b/c")
      #expect(text.lines.last?.hasPrefix("/b/c: No such file or directory. Check that the file") == true)
    }
  }

  @Test func responseWithoutBodyIsAFailure() {
    let lines = FailureText(action: "signing in", error: nil, baseURL: "http://a").lines
    #expect(lines.first == "FeatherDemo: signing in failed. The response has no body.")
  }
}
