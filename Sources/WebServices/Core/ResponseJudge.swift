import Foundation

/// The station that decides what an answer means: pure, and the same for every transport.
enum ResponseJudge {
  enum Verdict {
    case accept(WebServiceResponse)
    /// Send this instead.
    case follow(TransportRequest)
    case refuse(Refusal)
  }

  /// Why an answer isn't good.
  struct Refusal {
    var kind: WebServiceError.Kind
    var message = ""
    var response: WebServiceResponse?
    var underlying: (any Error)?
  }

  /// - Parameters:
  ///   - request: what was sent.
  ///   - steps: what was asked so far, that request last.
  static func verdict(
    on result: Result<WebServiceResponse, TransportError>, to request: TransportRequest, after steps: [Redirect.Step],
    redirect: Redirect
  ) -> Verdict {
    switch result {
    case .success(let response) where response.isSuccessful:
      return .accept(response)
    case .success(let response):
      return verdict(on: response, redirect.decision(on: response, to: request, after: steps))
    case .failure(let error):
      return .refuse(
        Refusal(kind: kind(of: error), message: error.message, response: error.response, underlying: error))
    }
  }

  private static func verdict(on response: WebServiceResponse, _ decision: Redirect.Decision) -> Verdict {
    switch decision {
    case .none:
      .refuse(Refusal(kind: .statusCode(response.statusCode), response: response))
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
