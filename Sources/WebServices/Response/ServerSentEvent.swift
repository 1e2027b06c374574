public import Foundation

/// One event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
  /// The type of the event; `message` where the server names none.
  public var event: String
  /// The data; several `data` fields are joined with LF.
  public var data: String
  /// The last event id at this event: its own, or that of an earlier event. Empty where there is none.
  public var id: String
  /// The reconnection time in seconds that came with this event.
  public var retry: TimeInterval?

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "", retry: TimeInterval? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}
