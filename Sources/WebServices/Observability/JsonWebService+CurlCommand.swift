extension JsonWebService {
  /// Formats a request as a cURL command line, so that you can show it to somebody else. Nothing is sent.
  ///
  /// The line contains the data of the request and the configuration, including `.basic` credentials and those of
  /// `.bearer(_:)`. It lacks the fields that a token manager, a signer or a layer would add.
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
      var credentials: AttachedCredentials?
      // Others would need a token, and fetching one would send a request.
      switch requestData._authorization {
      case .basic, .bearerToken: credentials = try AttachedCredentials(requestData._authorization, token: nil)
      default: break
      }
      return CurlCommand(try run.describe(with: credentials), redaction: engine.configuration.redaction)
    } catch { throw run.withFacts(error) }
  }
}
