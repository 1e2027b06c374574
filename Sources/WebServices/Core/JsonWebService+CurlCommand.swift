extension JsonWebService {
  /// A request as a cURL command line, which is how to show it to somebody else. Nothing is sent.
  ///
  /// It has what the request and the configuration say, and not what a token manager or a signer would add.
  ///
  /// - Parameters:
  ///   - requestData: the request; it is described on this thread.
  ///   - accept: the media types of the `Accept` field, unless the request or the configuration sets one.
  /// - Throws: what sending it would fail with, where it can't be described.
  public func curlCommand(
    for requestData: some WebServiceRequestData, accept: String = "application/json"
  ) throws(WebServiceError) -> CurlCommand {
    let configuration = engine.configuration
    do throws(RequestDescription.Failure) {
      let request = try RequestDescription.transportRequest(
        for: requestData, options: requestData.options, accept: accept, base: engine.base,
        configuration: configuration)
      return CurlCommand(request, redaction: configuration.redaction)
    } catch {
      let circumstances = FailureCircumstances(
        phase: .describe, attempt: 0, request: nil, described: nil, credentials: [], configuration: configuration)
      let refusal = ResponseJudge.Refusal(kind: error.kind, message: error.message, underlying: error.underlying)
      throw circumstances.error(refusal, describedAs: requestData)
    }
  }
}
