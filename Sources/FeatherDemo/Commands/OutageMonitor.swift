import Foundation
import WebServices

/// Notes what happens to requests that are sent one after the other.
final class OutageMonitor: RequestMonitor {
  private let events = Locked<[RequestEvent]>([])

  func record(_ event: RequestEvent) {
    events.withLock { $0.append(event) }
  }

  /// What has happened since this was asked last.
  func take() -> [RequestEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

/// What became of one request during an outage, in words.
enum OutageText {
  /// One line an attempt.
  static func attempts(_ events: [RequestEvent]) -> [String] {
    events.compactMap { event in
      switch event.kind {
      case .retried(let delay, let cause):
        "attempt \(event.attempt): \(cause), the next one after \(Wording.milliseconds(delay))"
      case .delivered(.success):
        "attempt \(event.attempt): success, \(Wording.milliseconds(event.elapsed)) after the call"
      case .delivered(.failure(let error)):
        "attempt \(event.attempt): \(cause(of: error)), and that is the end of it"
      default: nil
      }
    }
  }

  /// One line for all of it.
  static func outcome(_ result: Result<Void, WebServiceError>) -> String {
    switch result {
    case .success: return "success"
    case .failure(let error):
      if let open = error.underlying(as: CircuitOpenError.self) {
        let wait = Wording.fixed(open.retryAfter, 2)
        return (error.attemptCount > 0 ? "\(error.attemptCount) sent, then " : "not sent: ")
          + "the circuit is open for another \(wait) s"
      }
      return "\(cause(of: error)) after \(Wording.count(error.attemptCount, "attempt"))"
    }
  }

  private static func cause(of error: WebServiceError) -> String {
    error.statusCode.map { "status \($0)" } ?? "\(error.kind)"
  }
}
