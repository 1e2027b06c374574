import WebServices

/// Draws the timeline of each request when the request ends.
final class TimelineMonitor: RequestMonitor {
  /// The number of events that are kept for a request. Later events are dropped, so that a long stream can't fill the
  /// memory.
  private static let maximumEvents = 1_000

  /// The events of the requests in progress. `draw` is called without the lock.
  private let events = Locked<[UInt64: [RequestEvent]]>([:])
  private let draw: @Sendable (_ events: [RequestEvent]) -> Void

  /// - Parameter draw: receives all events of a finished request. It runs on the request's thread and must return at
  ///   once.
  init(draw: @escaping @Sendable (_ events: [RequestEvent]) -> Void) {
    self.draw = draw
  }

  /// Draws on standard error.
  ///
  /// - Parameter width: the terminal's width; `nil` if standard error isn't a terminal.
  static func onConsole(width: Int?) -> TimelineMonitor {
    TimelineMonitor { events in
      Console.notes { TimelineDrawing.lines(of: Timeline(events), width: width) }
    }
  }

  func record(_ event: RequestEvent) {
    let finished: [RequestEvent]? = events.withLock { events in
      if case .delivered = event.kind { return (events.removeValue(forKey: event.requestID) ?? []) + [event] }
      if events[event.requestID, default: []].count < Self.maximumEvents {
        events[event.requestID, default: []].append(event)
      }
      return nil
    }
    if let finished { draw(finished) }
  }
}
