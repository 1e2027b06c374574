// A station fails with an error that has only the reason. `RequestRun.claim` adds the facts of the request.

extension WebServiceError {
  init(interruption: RequestStateMachine.Interruption, phase: Phase) {
    switch interruption {
    case .cancelled: self.init(.cancelled, phase: phase)
    case .invalidated: self.init(.cancelled, phase: phase, message: "the service was reset or invalidated")
    case .shutDown:
      let message = "the service is shutting down and takes no new requests"
      self.init(
        .sessionFailure, phase: phase, message: message, underlying: TransportError.unsent(.invalidated, message))
    case .timedOut: self.init(.timedOut, phase: phase, message: "no response came in time")
    case .deadlinePassed: self.init(.timedOut, phase: phase, message: "the deadline passed")
    }
  }

  init(transport error: TransportError) {
    let kind: Kind =
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
    self.init(
      kind, message: error.message, response: error.response,
      // The error of the layer that refused says more.
      underlying: error.isRefusal ? error.underlying ?? error : error)
  }

  /// Adds the failure of the attempt before to a timeout, since it is the real cause.
  func after(_ cause: WebServiceError?) -> WebServiceError {
    guard let cause, kind == .timedOut else { return self }
    var details = details
    let reason = cause.details.message
    details.message += "; the previous attempt failed with \(cause.kind)" + (reason.isEmpty ? "" : ", \(reason)")
    details.response = response ?? cause.response
    // The earlier failure says more than the timeout, which only ended the wait for another attempt.
    details.underlying = cause.underlying ?? underlying
    var error = self
    error.details = details
    return error
  }
}
