import Foundation
import WebServices

/// Collects the events of the requests that `OutageCommand` sends one after the other.
final class OutageMonitor: RequestMonitor {
  /// The events since the last `removeEvents()`, recorded on the engine's threads.
  private let events = Locked<[RequestEvent]>([])

  func record(_ event: RequestEvent) {
    events.withLock { $0.append(event) }
  }

  /// Returns and removes the events since the last call.
  func removeEvents() -> [RequestEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

/// Formats the attempts and the outcome of one request as lines for the terminal.
enum OutageText {
  /// One line for each attempt.
  static func attempts(_ events: [RequestEvent]) -> [String] {
    events.compactMap { event in
      switch event.kind {
      case .retried(let delay, let cause):
        "attempt \(event.attempt): \(cause), next attempt after \(Wording.milliseconds(delay))"
      case .delivered(.success):
        "attempt \(event.attempt): success, \(Wording.milliseconds(event.elapsed)) after the call"
      case .delivered(.failure(let error)):
        "attempt \(event.attempt): \(cause(of: error)), no further attempt"
      default: nil
      }
    }
  }

  /// One line for the whole request.
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
