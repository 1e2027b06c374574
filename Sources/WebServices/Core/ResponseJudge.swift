import Foundation

/// The station that decides what an answer means for the request: pure, and the same for every transport. Whether an
/// answer is a good one is said by the validators, where the answer is read.
enum ResponseJudge {
  enum Verdict {
    case accept(WebServiceResponse)
    /// Send this instead.
    case follow(TransportRequest)
    /// The token was refused.
    case reauthorize(WebServiceResponse)
    case refuse(Refusal)
  }

  /// What the verdict depends on besides the answer.
  struct Circumstances {
    /// What was sent.
    var request: TransportRequest
    /// What was asked so far, that request last.
    var steps: [Redirect.Step]
    var redirect: Redirect
    var canReauthorize: Bool
    /// Whether the answer is in its reader's hands already.
    var isStreaming: Bool
  }

  /// Why an answer isn't good.
  struct Refusal {
    var kind: WebServiceError.Kind
    var message = ""
    var response: WebServiceResponse?
    var underlying: (any Error)?
  }

  static func verdict(
    on result: Result<WebServiceResponse, TransportError>, in circumstances: Circumstances
  ) -> Verdict {
    switch result {
    case .success(let response) where response.isSuccessful || circumstances.isStreaming:
      return .accept(response)
    case .success(let response) where response.statusCode == 401 && circumstances.canReauthorize:
      return .reauthorize(response)
    case .success(let response):
      let decision = circumstances.redirect.decision(
        on: response, to: circumstances.request, after: circumstances.steps)
      return verdict(on: response, decision)
    case .failure(let error):
      return .refuse(
        Refusal(kind: kind(of: error), message: error.message, response: error.response, underlying: error))
    }
  }

  private static func verdict(on response: WebServiceResponse, _ decision: Redirect.Decision) -> Verdict {
    switch decision {
    case .none:
      .accept(response)
    case .follow(let request):
      .follow(request)
    case .refuse(let error):
      .refuse(Refusal(kind: .redirect, message: error.message, response: response, underlying: error))
    }
  }

  private static func kind(of error: TransportError) -> WebServiceError.Kind {
    switch error.kind {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .notConnected: .noConnection
    case .notHTTPResponse: .notHTTPResponse
    case .invalidRequest: .invalidRequest
    case .file: .file
    default: .sessionFailure
    }
  }
}

extension ResponseJudge.Refusal {
  init(_ interruption: RequestStateMachine.Interruption) {
    switch interruption {
    case .cancelled: self.init(kind: .cancelled)
    case .invalidated: self.init(kind: .cancelled, message: "the service was reset or invalidated")
    case .timedOut: self.init(kind: .timedOut, message: "no answer came in time")
    }
  }
}
