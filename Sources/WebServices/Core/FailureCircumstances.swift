import Foundation

/// Makes an error of what a station refused and of how far the request had come.
struct FailureCircumstances {
  let phase: WebServiceError.Phase
  let attemptCount: Int
  /// What was sent or to be sent; `nil` where it couldn't be built.
  let request: TransportRequest?
  /// The same before redirects: what it held may have come along in other places.
  let described: TransportRequest?
  /// What the authorize station attached.
  let credentials: [String]
  let configuration: WebServiceConfiguration

  /// - Parameter data: asked for path and method where there is no request yet, which is on the caller's own thread.
  func error(_ refusal: ResponseJudge.Refusal, describedAs data: any WebServiceRequestData) -> WebServiceError {
    let secrets = [request, described].compactMap { $0 }
      .flatMap(RequestSecrets(redaction: configuration.redaction).values)
    return WebServiceError(
      WebServiceError.Details(
        kind: refusal.kind, phase: phase == .send && refusal.response != nil ? .judge : phase,
        method: request?.method ?? data.method, url: request?.address ?? data.path,
        attemptCount: attemptCount, message: refusal.message, response: bounded(refusal.response),
        underlying: refusal.underlying, decodingFailure: refusal.decodingFailure,
        redaction: configuration.redaction.hiding(credentials + secrets)))
  }

  private func bounded(_ response: WebServiceResponse?) -> WebServiceResponse? {
    guard var response, response.body.count > configuration.errorBodyLimit else { return response }
    response.body = Data(response.body.prefix(max(0, configuration.errorBodyLimit)))
    return response
  }
}
