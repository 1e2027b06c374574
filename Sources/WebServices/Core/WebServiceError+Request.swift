import Foundation

// A station fails with an error that has only the reason. Its `RequestRun` completes the error with the facts of the
// request.

extension WebServiceError {
  init(interruption: RequestStateMachine.Interruption) {
    switch interruption {
    case .cancelled: self.init(.cancelled)
    case .invalidated: self.init(.cancelled, message: "the service was reset or invalidated")
    case .shutDown:
      let message = "the service is shutting down and takes no new requests"
      self.init(.sessionFailure, message: message, underlying: TransportError.unsent(.invalidated, message))
    case .timedOut: self.init(.timedOut, message: "no response came in time")
    case .deadlinePassed: self.init(.timedOut, message: "the deadline passed")
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

  /// The error with the facts of its request: how far the request had come.
  ///
  /// - Parameters:
  ///   - data: asked for path and method if there is no request yet.
  ///   - request: the request that was sent or was to be sent; `nil` if it couldn't be built.
  ///   - described: the request before redirects, whose secrets may have come along in other places.
  ///   - credentials: the secrets that were attached.
  package func completed(
    phase: Phase, of data: any WebServiceRequestData, configuration: WebServiceConfiguration, attemptCount: Int = 0,
    request: TransportRequest? = nil, described: TransportRequest? = nil, credentials: [String] = []
  ) -> WebServiceError {
    let redaction = configuration.redaction.hiding(secretsOf: [request, described].compactMap { $0 }, and: credentials)
    let shown = DescriptionRedaction(redaction)
    var details = details
    details.response?.redaction = shown
    details.decodingFailure?.redaction = shown
    if var error = underlying as? any Error & OwnRedaction {
      error.redaction = shown
      details.underlying = error
    }
    if let body = response?.body, body.count > configuration.errorBodyLimit {
      details.response?.body = Data(body.prefix(max(0, configuration.errorBodyLimit)))
    }
    // A failure with a response comes from judging the response, even if the machine was still sending.
    details.phase = phase == .send && response != nil ? .judge : phase
    details.method = request?.method ?? data._method
    details.url = request?.address ?? data.path
    details.attemptCount = attemptCount
    details.redaction = redaction
    var error = self
    error.details = details
    return error
  }
}
