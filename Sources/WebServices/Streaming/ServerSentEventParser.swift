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

/// Parses an event stream (`text/event-stream`) by the rules of WHATWG HTML, section 9.2.6.
///
/// An event is complete at the blank line after it. An incomplete event at the end of the stream is dropped.
package struct ServerSentEventParser: StreamParser {
  /// The default limit: 1 MiB.
  package static let defaultLimit = 1 << 20

  /// The longest id in bytes. Servers limit a header field to 8 KB, and often all fields together.
  private static let idLimit = 4096

  /// The id to send as `Last-Event-ID` when reconnecting; empty if there is none.
  package private(set) var lastEventID: String
  /// The last reconnection time that the server named, with an event or without, in seconds; at most 2³¹ − 1
  /// milliseconds.
  package private(set) var reconnectionTime: TimeInterval?

  private let limit: Int
  private var lines: LineSplitter<[UInt8]>
  private var data: [UInt8] = []
  private var event = ""
  private var id: String
  private var retry: TimeInterval?

  /// - Parameters:
  ///   - lastEventID: the last event id of the stream before, when reconnecting: events without an id keep it.
  ///   - limit: the largest event and the longest line, in bytes.
  package init(lastEventID: String = "", limit: Int = ServerSentEventParser.defaultLimit) {
    self.lastEventID = lastEventID
    id = lastEventID
    self.limit = max(limit, 0)
    lines = LineSplitter(endsAtCarriageReturn: true, limit: limit) { Array($0) }
  }

  /// Creates the parser of the next connection, which keeps the last event id and the reconnection time.
  init(after former: ServerSentEventParser) {
    self.init(lastEventID: former.lastEventID, limit: former.limit)
    reconnectionTime = former.reconnectionTime
  }

  package mutating func append(_ data: Data) { lines.append(data) }

  /// Does nothing: an event that isn't complete at the end is dropped.
  package mutating func finish() {}

  package mutating func next() throws -> ServerSentEvent? {
    while let line = try lines.next() {
      if !line.isEmpty {
        try setField(line)
      } else if let event = dispatch() {
        return event
      }
    }
    return nil
  }

  /// Reads a line with a field. A comment is a field without a name.
  private mutating func setField(_ line: [UInt8]) throws {
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
    defer {
      data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
      event = ""
      retry = nil
    }
    // Also for an event without data, which is how a server sets an id alone.
    lastEventID = id
    guard !data.isEmpty else { return nil }
    let text = String(decoding: data.dropLast(), as: UTF8.self)
    return ServerSentEvent(event: event.isEmpty ? "message" : event, data: text, id: id, retry: retry)
  }
}
