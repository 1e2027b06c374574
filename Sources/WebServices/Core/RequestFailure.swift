import Foundation

/// Why a request fails. `ErrorContext` makes the caller's error of it.
struct RequestFailure: Error {
  let kind: WebServiceError.Kind
  var message = ""
  var response: WebServiceResponse?
  var underlying: (any Error)?
  var decodingFailure: DecodingFailure?

  static let noConnection = RequestFailure(kind: .noConnection, message: "no network interface is up")
}

extension RequestFailure {
  init(_ interruption: RequestStateMachine.Interruption) {
    switch interruption {
    case .cancelled: self.init(kind: .cancelled)
    case .invalidated: self.init(kind: .cancelled, message: "the service was reset or invalidated")
    case .timedOut: self.init(kind: .timedOut, message: "no response came in time")
    case .deadlinePassed: self.init(kind: .timedOut, message: "the deadline passed")
    }
  }

  /// Adds the failure of the attempt before to a timeout, since it is the real cause.
  func after(_ cause: RequestFailure?) -> RequestFailure {
    guard let cause, kind == .timedOut else { return self }
    var copy = self
    copy.message += "; the attempt before ended as \(cause.kind)" + (cause.message.isEmpty ? "" : ", \(cause.message)")
    copy.response = response ?? cause.response
    copy.underlying = cause.underlying ?? underlying
    return copy
  }
}

/// Makes the error of a failure, with how far the request had come.
struct ErrorContext {
  let phase: WebServiceError.Phase
  var attemptCount = 0
  /// The request that was sent or was to be sent; `nil` if it couldn't be built.
  var request: TransportRequest?
  /// The request before redirects, whose secrets may have come along in other places.
  var described: TransportRequest?
  /// The credentials that were attached.
  var credentials: [String] = []
  let configuration: WebServiceConfiguration

  /// - Parameter data: asked for path and method if there is no request yet. This is the caller's thread then.
  func error(_ failure: RequestFailure, describedAs data: any WebServiceRequestData) -> WebServiceError {
    let secrets = [request, described].compactMap { $0 }
      .flatMap(RequestSecrets(redaction: configuration.redaction).values)
    return WebServiceError(
      WebServiceError.Details(
        kind: failure.kind, phase: phase == .send && failure.response != nil ? .judge : phase,
        method: request?.method ?? data.method, url: request?.address ?? data.path,
        attemptCount: attemptCount, message: failure.message, response: bounded(failure.response),
        underlying: failure.underlying, decodingFailure: failure.decodingFailure,
        redaction: configuration.redaction.hiding(credentials + secrets)))
  }

  private func bounded(_ response: WebServiceResponse?) -> WebServiceResponse? {
    guard var response, response.body.count > configuration.errorBodyLimit else { return response }
    response.body = Data(response.body.prefix(max(0, configuration.errorBodyLimit)))
    return response
  }
}

extension ErrorContext {
  init(_ machine: RequestStateMachine, phase: WebServiceError.Phase, configuration: WebServiceConfiguration) {
    self.init(
      phase: phase, attemptCount: machine.sentAttempts, request: machine.request, described: machine.described,
      credentials: machine.credentials?.secrets ?? [], configuration: configuration)
  }
}
