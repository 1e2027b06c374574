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
    /// Send it again after so many seconds, for this cause.
    case retry(after: TimeInterval, RequestEvent.RetryCause, Refusal)
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
    /// How long to wait before another attempt; `nil` where this outcome is the last.
    var retryDelay: (ExchangeOutcome) -> TimeInterval?
  }

  /// Why an answer isn't good.
  struct Refusal: Sendable {
    var kind: WebServiceError.Kind
    var message = ""
    var response: WebServiceResponse?
    var underlying: (any Error)?
    var decodingFailure: DecodingFailure?
  }

  /// The answer that is accepted whatever the circumstances are.
  static func goodAnswer(in result: ExchangeResult) -> WebServiceResponse? {
    if case .ended(.success(let response), _) = result, response.isSuccessful { response } else { nil }
  }

  static func verdict(
    on result: ExchangeResult, in circumstances: Circumstances
  ) -> Verdict {
    switch result {
    case .ended(let result, let source):
      var circumstances = circumstances
      if source == .cache { circumstances.retryDelay = { _ in nil } }
      return verdict(on: result, in: circumstances)
    case .noNetwork:
      return .refuse(Refusal(kind: .noConnection, message: "no network interface is up"))
    case .circuitOpen(let error):
      return .refuse(
        Refusal(kind: .circuitOpen, message: "\(error.host) keeps failing and is left alone", underlying: error))
    }
  }

  private static func verdict(
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
      guard case .none = decision else { return verdict(on: response, decision) }
      guard let delay = circumstances.retryDelay(ExchangeOutcome(result)) else { return .accept(response) }
      let refusal = Refusal(kind: .statusCode(response.statusCode), response: response)
      return .retry(after: delay, .status(response.statusCode), refusal)
    case .failure(let error):
      let refusal = Refusal(kind: kind(of: error), message: error.message, response: error.response, underlying: error)
      guard !circumstances.isStreaming, let delay = circumstances.retryDelay(.failed(error)) else {
        return .refuse(refusal)
      }
      return .retry(after: delay, .transport(error.kind), refusal)
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
    case .deadlinePassed: self.init(kind: .timedOut, message: "the deadline passed")
    }
  }

  /// The same with what went wrong before, which is the real cause.
  func after(_ cause: ResponseJudge.Refusal?) -> ResponseJudge.Refusal {
    guard let cause, kind == .timedOut else { return self }
    var copy = self
    copy.message += "; the attempt before ended as \(cause.kind)" + (cause.message.isEmpty ? "" : ", \(cause.message)")
    copy.response = response ?? cause.response
    copy.underlying = cause.underlying ?? underlying
    return copy
  }
}
