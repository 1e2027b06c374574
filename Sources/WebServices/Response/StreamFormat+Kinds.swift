public import Foundation

extension StreamFormat where Element == Data {
  /// The bytes as they come, after decompression, in pieces of any size.
  public static var data: StreamFormat { StreamFormat { DataParser() } }
}

extension StreamFormat where Element == String {
  /// Lines of UTF-8 text, without the LF, CRLF or CR at their end.
  public static var lines: StreamFormat { lines(limit: 1 << 20) }

  /// Lines of at most this many bytes.
  public static func lines(limit: Int) -> StreamFormat {
    StreamFormat(accept: "text/plain, */*;q=0.5") { LineParser(limit: limit) }
  }
}

extension StreamFormat where Element: Decodable {
  /// One JSON text a line ("newline-delimited JSON"); empty lines are skipped.
  ///
  /// - Parameters:
  ///   - type: the type of the models.
  ///   - limit: the longest line, in bytes.
  public static func jsonLines(
    _ type: Element.Type = Element.self, limit: Int = 16 << 20
  ) -> StreamFormat {
    StreamFormat(accept: "application/x-ndjson, application/json;q=0.5") {
      JSONLinesParser(limit: limit)
    } transform: { line, decoder in
      do {
        return try FeatherJSONDecoder(decoder).decode(Element.self, from: line)
      } catch let error as DecodingError {
        throw UndecodablePiece(error: error, bytes: line)
      }
    }
  }
}

extension StreamFormat where Element == ServerSentEvent {
  /// Server-sent events of one connection. `service.serverSentEvents(_:)` connects again when it ends.
  public static var serverSentEvents: StreamFormat { serverSentEvents(lastEventID: "") }

  /// Server-sent events after the one with this id.
  ///
  /// - Parameters:
  ///   - lastEventID: the id; empty if there is none.
  ///   - limit: the largest event, in bytes.
  public static func serverSentEvents(
    lastEventID: String, limit: Int = 1 << 20
  ) -> StreamFormat {
    StreamFormat(accept: "text/event-stream") { ServerSentEventParser(lastEventID: lastEventID, limit: limit) }
  }
}

/// Passes on the pieces as they are.
private struct DataParser: StreamParser {
  private var pieces: [Data] = []

  mutating func append(_ data: Data) {
    if !data.isEmpty { pieces.append(data) }
  }

  func finish() {}

  mutating func next() -> Data? { pieces.isEmpty ? nil : pieces.removeFirst() }
}

/// An element of a stream that can't be decoded, with its bytes for the error's description.
struct UndecodablePiece: Error {
  let error: DecodingError
  let bytes: Data
}
