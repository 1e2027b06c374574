import Foundation

/// The reason why a request fails. A station returns it, and its `RequestRun` makes a `WebServiceError` with it and the
/// facts of the request.
package struct RequestFailure: Error {
  package let kind: WebServiceError.Kind
  package var message: String
  package var response: WebServiceResponse?
  package var underlying: (any Error)?
  var decodingFailure: DecodingFailure?

  package init(
    kind: WebServiceError.Kind, message: String = "", response: WebServiceResponse? = nil,
    underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.message = message
    self.response = response
    self.underlying = underlying
  }
}

extension RequestFailure {
  init(_ interruption: RequestStateMachine.Interruption) {
    switch interruption {
    case .cancelled: self.init(kind: .cancelled)
    case .invalidated: self.init(kind: .cancelled, message: "the service was reset or invalidated")
    case .shutDown:
      let message = "the service is shutting down and takes no new requests"
      self.init(kind: .sessionFailure, message: message, underlying: TransportError.unsent(.invalidated, message))
    case .timedOut: self.init(kind: .timedOut, message: "no response came in time")
    case .deadlinePassed: self.init(kind: .timedOut, message: "the deadline passed")
    }
  }

  init(_ error: TransportError) {
    let kind: WebServiceError.Kind =
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
      kind: kind, message: error.message, response: error.response,
      // The error of the layer that refused says more.
      underlying: error.isRefusal ? error.underlying ?? error : error)
  }

  /// Adds the failure of the attempt before to a timeout, since it is the real cause.
  func after(_ cause: RequestFailure?) -> RequestFailure {
    guard let cause, kind == .timedOut else { return self }
    var copy = self
    copy.message +=
      "; the previous attempt failed with \(cause.kind)" + (cause.message.isEmpty ? "" : ", \(cause.message)")
    copy.response = response ?? cause.response
    // The earlier failure says more than the timeout, which only ended the wait for another attempt.
    copy.underlying = cause.underlying ?? underlying
    return copy
  }
}

extension WebServiceError {
  /// Creates the error of a failure, with how far the request had come.
  ///
  /// - Parameters:
  ///   - data: asked for path and method if there is no request yet.
  ///   - request: the request that was sent or was to be sent; `nil` if it couldn't be built.
  ///   - described: the request before redirects, whose secrets may have come along in other places.
  ///   - credentials: the secrets that were attached.
  package init(
    _ failure: RequestFailure, phase: Phase, of data: any WebServiceRequestData, configuration: WebServiceConfiguration,
    attemptCount: Int = 0, request: TransportRequest? = nil, described: TransportRequest? = nil,
    credentials: [String] = []
  ) {
    let redaction = configuration.redaction.hiding(secretsOf: [request, described].compactMap { $0 }, and: credentials)
    let shown = DescriptionRedaction(redaction)
    var failure = failure
    failure.response?.redaction = shown
    failure.decodingFailure?.redaction = shown
    if var error = failure.underlying as? any Error & OwnRedaction {
      error.redaction = shown
      failure.underlying = error
    }
    if let body = failure.response?.body, body.count > configuration.errorBodyLimit {
      failure.response?.body = Data(body.prefix(max(0, configuration.errorBodyLimit)))
    }
    self.init(
      Details(
        // A failure with a response comes from judging the response, even if the machine was still sending.
        failure: failure, phase: phase == .send && failure.response != nil ? .judge : phase,
        method: request?.method ?? data._method, url: request?.address ?? data.path, attemptCount: attemptCount,
        redaction: redaction))
  }
}
