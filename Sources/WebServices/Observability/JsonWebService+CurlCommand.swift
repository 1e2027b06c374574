extension JsonWebService {
  /// Formats a request as a cURL command line, so that you can show it to somebody else. Nothing is sent.
  ///
  /// The line contains the data of the request and the configuration, including `.basic` credentials. It lacks the
  /// fields that a token manager or a signer would add.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread.
  ///   - accept: the media types of the `Accept` field, unless the request or the configuration sets one.
  /// - Throws: the error with which sending the request would fail.
  public func curlCommand(
    for requestData: some WebServiceRequestData, accept: String = "application/json"
  ) throws(WebServiceError) -> CurlCommand {
    let run = RequestRun(requestData, accept: accept, engine: engine)
    do throws(WebServiceError) {
      let request = try authorized(try run.describe(), by: requestData._authorization)
      return CurlCommand(request, redaction: engine.configuration.redaction)
    } catch { throw run.withFacts(error) }
  }

  /// The request with the credentials that its type names. Others would need a token, and fetching one would send a
  /// request.
  private func authorized(
    _ request: TransportRequest, by type: WebServiceAuthorizationType
  ) throws(WebServiceError) -> TransportRequest {
    switch type {
    case .basic, .bearerToken: break
    default: return request
    }
    return try AttachedCredentials(type, for: request, token: nil).authorized
  }
}
