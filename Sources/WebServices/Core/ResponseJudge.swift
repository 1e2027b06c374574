import Foundation

/// Decides what the end of a transfer means for its request: a pure function, the same for every transport. The
/// validators decide later whether a response is a success.
enum ResponseJudge {
  /// The facts that a verdict depends on besides the response.
  struct Circumstances {
    /// The request that was sent.
    var request: TransportRequest
    /// The steps so far, with that request as the last.
    var steps: [Redirect.Step]
    var redirect: Redirect
    /// The token that a 401 refuses; `nil` if no other token can be tried.
    var replaceableToken: AccessToken?
    /// Whether the request's signer may respond to the challenge of a 401.
    var canReadChallenge = false
    /// Whether the reader has bytes of the response already.
    var isStreaming: Bool
    /// The pause before another attempt, and its header fields if they change; `nil` if there is no other attempt.
    var retryPause: (Result<WebServiceResponse, TransportError>) -> (Retry.Pause, HTTPHeaders?)?
  }

  /// Returns the event for the request: accept the response, follow a redirect, replace the token, try again, or fail.
  static func verdict(
    on result: Result<WebServiceResponse, TransportError>, in circumstances: Circumstances
  ) -> RequestStateMachine.Event {
    switch result {
    case .success(let response) where response.isSuccessful || circumstances.isStreaming:
      return .accepted(response)
    case .success(let response):
      if response.statusCode == 401, circumstances.replaceableToken != nil || circumstances.canReadChallenge {
        return .unauthorized(response, circumstances.replaceableToken)
      }
      switch circumstances.redirect.decision(on: response, to: circumstances.request, after: circumstances.steps) {
      case .follow(let next):
        return .redirected(next)
      case .refuse(let error):
        // Without a message: the error has it, and hiding secrets in its URLs takes time.
        return .refused(RequestFailure(kind: .redirect, response: response, underlying: error))
      case .none:
        // Another attempt would bring the same response from the cache.
        if response.source == .earlierTransfer { return .accepted(response) }
        let failure = RequestFailure(kind: .statusCode(response.statusCode), response: response)
        return retry(after: result, .status(response.statusCode), failure, circumstances) ?? .accepted(response)
      }
    // The cache has no response. The request waits for the network.
    case .failure(let error) where error.kind == .notConnected && error.wait == .network: return .disconnected
    case .failure(let error):
      let failure = RequestFailure(
        kind: kind(of: error), message: error.message, response: error.response,
        // The error of the layer that refused says more.
        underlying: error.isRefusal ? error.underlying ?? error : error)
      // Another attempt would give the reader of a stream the same bytes twice.
      guard !circumstances.isStreaming, !error.isRefusal else { return .refused(failure) }
      return retry(after: result, .transport(error.kind), failure, circumstances) ?? .refused(failure)
    }
  }

  private static func retry(
    after result: Result<WebServiceResponse, TransportError>, _ cause: RequestEvent.RetryCause,
    _ failure: RequestFailure, _ circumstances: Circumstances
  ) -> RequestStateMachine.Event? {
    circumstances.retryPause(result).map { pause, headers in
      .failed(Retry(pause: pause, cause: cause, failure: failure, headers: headers))
    }
  }

  private static func kind(of error: TransportError) -> WebServiceError.Kind {
    switch error.kind {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .notConnected: .noConnection
    case .refusedBySession: .circuitOpen
    case .notHTTPResponse: .notHTTPResponse
    case .invalidRequest: .invalidRequest
    case .file: .file
    default: .sessionFailure
    }
  }
}
