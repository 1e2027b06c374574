import Foundation

/// Another attempt that the judge has granted.
struct Retry: Sendable {
  /// The seconds before that attempt. `nil` begins it at once with a new connection, because the server had closed the
  /// reused one.
  let delay: TimeInterval?
  let cause: RequestEvent.RetryCause
  /// The failure of the attempt before this one.
  let failure: WebServiceError
  /// The request of that attempt, if the retry policy's rule has changed its header fields.
  var request: TransportRequest?
}

extension Retry {
  init(delay: TimeInterval?, after result: Result<WebServiceResponse, TransportError>, _ failure: WebServiceError) {
    self.delay = delay
    self.failure = failure
    cause =
      switch result {
      case .success(let response): .status(response.statusCode)
      case .failure(let error): .transport(error.kind)
      }
  }
}
