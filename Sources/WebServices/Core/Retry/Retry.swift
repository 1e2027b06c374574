import Foundation

/// Another attempt that the judge has granted.
struct Retry: Sendable {
  /// The wait before that attempt.
  enum Pause: Sendable, Equatable {
    case seconds(TimeInterval)
    /// No pause: the server had closed the reused connection. The next transfer opens a new connection.
    case newConnection
  }

  let pause: Pause
  let cause: RequestEvent.RetryCause
  /// The failure of the attempt before this one.
  let failure: WebServiceError
  /// The step of that attempt, if the retry policy's rule has changed its header fields.
  var step: RequestStep?
}

extension Retry {
  init(pause: Pause, after result: Result<WebServiceResponse, TransportError>, _ failure: WebServiceError) {
    self.pause = pause
    self.failure = failure
    cause =
      switch result {
      case .success(let response): .status(response.statusCode)
      case .failure(let error): .transport(error.kind)
      }
  }
}
