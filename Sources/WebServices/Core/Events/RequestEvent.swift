public import Foundation

/// A step of a request. Its description holds no secret.
public struct RequestEvent: Sendable, DescriptionOnly {
  /// Which request; counted up over the whole process, from 1.
  public let requestID: UInt64
  /// The number of the attempt, retries included: 1 for the first attempt, 0 before it.
  public let attempt: Int
  /// The number of the request's transfer, redirects included: 1 for the first one, 0 before it.
  public let transfer: Int
  /// When it happened, in seconds on the service's clock.
  public let time: TimeInterval
  /// When the request was handed to the service, in seconds on the same clock.
  public let start: TimeInterval
  /// The method of the request; after a redirect, the method of the redirected request.
  public let method: HTTPMethod
  /// The URL of the transfer, or the request's path if that makes no URL.
  public let url: RequestEvent.RedactedURL
  /// What happened.
  public let kind: Kind
  /// The status of the response that the request was delivered with, or that its error has; `nil` if there is none, and
  /// in all other events.
  public let status: Int?
  /// The fields that the configuration's ``WebServiceConfiguration/contextHeaders`` made for the request.
  public let contextHeaders: HTTPHeaders

  /// Creates an event. The library makes its own; this is for fakes and tests of monitors. Times are in seconds. Each
  /// parameter sets the property of the same name.
  public init(
    requestID: UInt64, attempt: Int = 1, transfer: Int = 1, time: TimeInterval, start: TimeInterval = 0,
    method: HTTPMethod = .get, url: RequestEvent.RedactedURL, kind: Kind, status: Int? = nil,
    contextHeaders: HTTPHeaders = HTTPHeaders()
  ) {
    self.requestID = requestID
    self.attempt = attempt
    self.transfer = transfer
    self.time = time
    self.start = start
    self.method = method
    self.url = url
    self.kind = kind
    self.status = status
    self.contextHeaders = contextHeaders
  }

  /// Guards the number of the last request of this process.
  private static let lastID = Locked<UInt64>(0)

  /// The number of the next request.
  static func makeRequestID() -> UInt64 { lastID.withLock { $0.increment() } }

  /// Seconds from the call to the event.
  public var elapsed: TimeInterval { time - start }

  /// The event in a line, with secrets hidden: `#7 at 1.250 s, attempt 2, transfer 3: GET https://…, sent`.
  public var description: String {
    "#\(requestID) at \(elapsed.inWords) s, attempt \(attempt), transfer \(transfer): \(method) \(url), \(kind)"
  }
}
