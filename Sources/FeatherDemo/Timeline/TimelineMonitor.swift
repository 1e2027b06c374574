import WebServices

/// Draws the timeline of each request when it has ended.
final class TimelineMonitor: RequestMonitor {
  /// More events than any request has that is worth drawing.
  private static let maximumEvents = 1_000

  private let events = Locked<[UInt64: [RequestEvent]]>([:])
  private let draw: @Sendable (_ events: [RequestEvent]) -> Void

  /// - Parameter draw: is given the events of each request that has ended, on the request's thread: it returns at once.
  init(draw: @escaping @Sendable (_ events: [RequestEvent]) -> Void) {
    self.draw = draw
  }

  /// Draws on standard error.
  ///
  /// - Parameter width: the terminal's, where it is one.
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
