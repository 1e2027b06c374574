package import Foundation

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

  /// The error of a body that can't be decoded.
  ///
  /// - Parameter piece: the bytes that can't be decoded; `nil` for the whole body.
  package init(undecodable response: WebServiceResponse, _ underlying: any Error, in piece: Data? = nil) {
    let bytes = piece ?? response.body
    self.init(
      .undecodableBody, phase: .read, message: "the body can't be decoded", response: response, underlying: underlying)
    switch underlying {
    // An empty body at the top level: the decoder's own message wouldn't name the remedy.
    case DecodingError.valueNotFound(let type, let context) where bytes.isEmpty && context.codingPath.isEmpty:
      details.message = "the response has no body; expect a value of type \(type)? if it may have none"
    case let error as DecodingError:
      details.decodingFailure = DecodingFailure(error, in: bytes)
    default: break
    }
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
