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
  /// Whether the redirects are followed once more. The URL that they led to may be good for some minutes only.
  var startsOver = false
}
