import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

@Suite struct ResponseJudgeTests {
  private let url = URL(fileURLWithPath: "/")

  private func verdict(
    _ result: Result<WebServiceResponse, TransportError>, canReauthorize: Bool = false, canReadChallenge: Bool = false,
    isStreaming: Bool = false, retryDelay: TimeInterval? = nil
  ) -> String {
    let request = TransportRequest(url: URL(string: "https://api.example.com/a") ?? url)
    let verdict = ResponseJudge.verdict(
      on: result,
      in: ResponseJudge.Circumstances(
        request: request, steps: [Redirect.Step(request)],
        redirect: Redirect(policy: .follow, credentialNames: [], redaction: .standard),
        replaceableToken: canReauthorize ? AccessToken(value: "token") : nil, canReadChallenge: canReadChallenge,
        isStreaming: isStreaming,
        retryPause: { _ in retryDelay.map { (.seconds($0), nil) } }))
    switch verdict {
    case .accepted(let response): return "accept \(response.statusCode)"
    case .redirected(let next): return "follow \(next.url.path)"
    case .unauthorized(let response, _): return "reauthorize \(response.statusCode)"
    case .failed(let retry): return "retry \(retry.pause) \(retry.cause) \(retry.failure.kind)"
    case .refused(let failure): return "refuse \(failure.kind) \(failure.response?.statusCode ?? 0)"
    default: return "\(verdict)"
    }
  }

  private func failure(_ result: Result<WebServiceResponse, TransportError>) -> RequestFailure? {
    let request = TransportRequest(url: url)
    let circumstances = ResponseJudge.Circumstances(
      request: request, steps: [], redirect: Redirect(policy: .follow, credentialNames: [], redaction: .standard),
      replaceableToken: nil, isStreaming: false, retryPause: { _ in nil })
    if case .refused(let failure) = ResponseJudge.verdict(on: result, in: circumstances) { return failure }
    return nil
  }

  private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> Result<WebServiceResponse, TransportError> {
    .success(WebServiceResponse(statusCode: status, headers: headers, url: url))
  }

  @Test func everyStatusIsAccepted() {
    for status in [200, 204, 304, 400, 401, 404, 500] { expectEqual(verdict(response(status)), "accept \(status)") }
  }

  @Test func refusedTokenIsReplacedWherePossible() {
    expectEqual(verdict(response(401), canReauthorize: true), "reauthorize 401")
    expectEqual(verdict(response(401), canReadChallenge: true), "reauthorize 401")
    expectEqual(verdict(response(403), canReadChallenge: true), "accept 403")
    expectEqual(verdict(response(403), canReauthorize: true), "accept 403")
    expectEqual(verdict(response(200), canReauthorize: true), "accept 200")
  }

  @Test func redirectIsFollowedOrRefused() {
    expectEqual(verdict(response(302, ["Location": "/b"])), "follow /b")
    expectEqual(verdict(response(302)), "accept 302")
    expectEqual(verdict(response(302, ["Location": "/a"])), "refuse redirect 302")
  }

  @Test func failureIsRetriedWhereAllowed() {
    expectEqual(verdict(response(503), retryDelay: 2), "retry seconds(2.0) status 503 statusCode(503)")
    expectEqual(verdict(response(200), retryDelay: 2), "accept 200")
    expectEqual(verdict(response(302, ["Location": "/b"]), retryDelay: 2), "follow /b")
    expectEqual(verdict(response(401), canReauthorize: true, retryDelay: 2), "reauthorize 401")
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    expectEqual(verdict(.failure(lost), retryDelay: 2), "retry seconds(2.0) connectionLost sessionFailure")
    expectEqual(verdict(.failure(lost), isStreaming: true, retryDelay: 2), "refuse sessionFailure 0")
  }

  @Test func layerRefusalIsNotRetriedAndKeepsItsError() {
    var stored = WebServiceResponse(statusCode: 503, url: url)
    stored.source = .earlierTransfer
    expectEqual(verdict(.success(stored), retryDelay: 2), "accept 503")
    expectEqual(verdict(.failure(.noNetwork), retryDelay: 2), "disconnected")
    let open = CircuitBreakerPolicy.OpenError(host: "api.example.com", retryAfter: 5)
    let refused = TransportError(.refusedBySession, message: "", mayHaveReachedServer: false, underlying: open)
    expectEqual(verdict(.failure(refused), retryDelay: 2), "refuse circuitOpen 0")
    expectEqual(failure(.failure(refused))?.underlying as? CircuitBreakerPolicy.OpenError, open)
    let timedOut = TransportError(.timedOut(.whole), waitingFor: .network)
    #expect(verdict(.failure(timedOut), retryDelay: 2).hasPrefix("retry seconds(2.0)"))
  }

  @Test func streamedResponseIsNeverSentAgain() {
    expectEqual(verdict(response(302, ["Location": "/b"]), isStreaming: true), "accept 302")
    expectEqual(verdict(response(401), canReauthorize: true, isStreaming: true), "accept 401")
  }

  @Test func transportFailureKeepsKindAndResponse() {
    let kinds: [(TransportError.Kind, WebServiceError.Kind)] = [
      (.cancelled, .cancelled), (.timedOut(.idle), .timedOut), (.timedOut(.whole), .timedOut),
      (.notConnected, .noConnection), (.notHTTPResponse, .notHTTPResponse), (.invalidRequest, .invalidRequest),
      (.file, .file), (.invalidated, .sessionFailure), (.tls, .sessionFailure), (.connectionLost, .sessionFailure),
      (.tooLarge, .sessionFailure),
    ]
    for (transport, kind) in kinds {
      let error = TransportError(
        transport, message: "", mayHaveReachedServer: true,
        response: WebServiceResponse(statusCode: 206, url: url))
      expectEqual(verdict(.failure(error)), "refuse \(kind) 206")
    }
  }
}
