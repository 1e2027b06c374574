import Foundation

/// The station that decides what an answer means: pure, and the same for every transport.
enum ResponseJudge {
  enum Verdict {
    case accept(WebServiceResponse)
    case refuse(Refusal)
  }

  /// Why an answer isn't good.
  struct Refusal {
    var kind: WebServiceError.Kind
    var message = ""
    var response: WebServiceResponse?
    var underlying: (any Error)?
  }

  static func verdict(on result: Result<WebServiceResponse, TransportError>) -> Verdict {
    switch result {
    case .success(let response) where response.isSuccessful:
      return .accept(response)
    case .success(let response):
      return .refuse(Refusal(kind: .statusCode(response.statusCode), response: response))
    case .failure(let error):
      return .refuse(
        Refusal(kind: kind(of: error), message: error.message, response: error.response, underlying: error))
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
