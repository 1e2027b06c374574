public import Foundation

/// One event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
  /// The type of the event; `message` if the server names none.
  public var event: String
  /// The data; several `data` fields are joined with LF.
  public var data: String
  /// The id of this event, or of the last event before it that has one. Empty if there is none. An id of more than
  /// 4,096 bytes or with a control character is ignored, because a server may refuse it as `Last-Event-ID`.
  public var id: String
  /// The reconnection time in seconds that came with this event.
  public var retry: TimeInterval?

  /// Creates an event. Each parameter sets the property of the same name.
  public init(event: String = "message", data: String, id: String = "", retry: TimeInterval? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}

/// Reads the lines of an event stream (`text/event-stream`) by the rules of WHATWG HTML, section 9.2.6.
///
/// An event is complete at the blank line after it. An incomplete event at the end of the stream is dropped.
package struct ServerSentEventReader: Sendable {
  /// The longest id in bytes. Servers limit a header field to 8 KB, and often all fields together.
  private static let idLimit = 4096

  /// The id to send as `Last-Event-ID` when reconnecting; empty if there is none.
  package private(set) var lastEventID = ""
  /// The last reconnection time that the server named, with an event or without, in seconds; at most 2³¹ − 1
  /// milliseconds.
  package private(set) var reconnectionTime: TimeInterval?
  /// The largest event and the longest line, in bytes.
  package let limit: Int

  private var data: [UInt8] = []
  private var event = ""
  private var id = ""
  private var retry: TimeInterval?

  package init(limit: Int = 1 << 20) { self.limit = limit }

  package mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws -> ServerSentEvent? {
    if line.isEmpty { return dispatch() }
    try setField(line)
    return nil
  }

  /// Drops the incomplete event. An event without an id has the last event's id.
  mutating func dropEvent() {
    data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
    (event, id, retry) = ("", lastEventID, nil)
  }

  /// Reads a line with a field. A comment is a field without a name.
  private mutating func setField(_ line: UnsafeBufferPointer<UInt8>) throws {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    // One space after the colon isn't part of the value.
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event = String(decoding: value, as: UTF8.self)
    case "data":
      // Many short lines can make one large event, so the sum is limited too.
      guard data.count + value.count <= limit else { throw StreamLimitError(limit: limit) }
      data += value
      // The standard appends LF to each field, and `dispatch` removes the last one.
      data.append(UInt8.lineFeed)
    case "id":
      // The standard ignores an id with NUL. One with another control character couldn't be sent as `Last-Event-ID`.
      if value.count <= Self.idLimit, value.isHTTPFieldValue { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return }
      // Limited, so that no number of digits makes the time infinite.
      retry = min(Double(String(decoding: value, as: UTF8.self)) ?? .infinity, TimeInterval(Int32.max)) / 1000
      reconnectionTime = retry
    default: break
    }
  }

  /// Ends the event. An event without data only sets the last event id.
  private mutating func dispatch() -> ServerSentEvent? {
    defer { dropEvent() }
    // Also for an event without data, which is how a server sets an id alone.
    lastEventID = id
    guard !data.isEmpty else { return nil }
    let text = String(decoding: data.dropLast(), as: UTF8.self)
    return ServerSentEvent(event: event.isEmpty ? "message" : event, data: text, id: id, retry: retry)
  }
}
