import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct WebServiceErrorRequestTests {
  @Test func transportFailureKeepsKindAndResponse() {
    let kinds: [(TransportError.Kind, WebServiceError.Kind)] = [
      (.cancelled, .cancelled), (.timedOut(.idle), .timedOut), (.timedOut(.whole), .timedOut),
      (.notConnected, .noConnection), (.notHTTPResponse, .notHTTPResponse), (.invalidRequest, .invalidRequest),
      (.file, .file), (.invalidated, .sessionFailure), (.tls, .sessionFailure), (.connectionLost, .sessionFailure),
      (.tooLarge, .sessionFailure),
    ]
    for (transport, kind) in kinds {
      let response = WebServiceResponse(statusCode: 206, url: URL(fileURLWithPath: "/"))
      let failure = WebServiceError(
        transport: TransportError(transport, message: "why", mayHaveReachedServer: true, response: response))
      expectEqual(failure.kind, kind)
      expectEqual(failure.message, "why")
      expectEqual(failure.response?.statusCode, 206)
      expectEqual((failure.underlying as? TransportError)?.kind, transport)
    }
  }
}
