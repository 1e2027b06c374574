public import Foundation

extension StreamFormat where Element == Data {
  /// The bytes as they come, after decompression, in pieces of no certain size.
  public static var data: StreamFormat { StreamFormat { DataParser() } }
}

extension StreamFormat where Element == String {
  /// Lines of UTF-8 text, without what ends them: LF, CRLF or CR.
  public static var lines: StreamFormat { lines(limit: LineParser.defaultLimit) }

  /// Lines of at most so many bytes.
  public static func lines(limit: Int) -> StreamFormat {
    StreamFormat(accept: "text/plain, */*;q=0.5") { LineParser(limit: limit) }
  }
}

extension StreamFormat where Element: Decodable {
  /// One JSON text a line ("newline-delimited JSON"); empty lines are left out.
  ///
  /// - Parameter limit: the longest line, in bytes.
  public static func jsonLines(
    _ type: Element.Type = Element.self, limit: Int = JSONLinesParser.defaultLimit
  ) -> StreamFormat {
    StreamFormat(accept: "application/x-ndjson, application/json;q=0.5") {
      JSONLinesParser(limit: limit)
    } transform: { line, decoder in
      do {
        return try decoder.decode(Element.self, from: line)
      } catch let error as DecodingError {
        throw UndecodablePiece(error: error, bytes: line)
      }
    }
  }
}

extension StreamFormat where Element == ServerSentEvent {
  /// Server-sent events, of one connection; `service.serverSentEvents(_:)` goes on when it ends.
  public static var serverSentEvents: StreamFormat { serverSentEvents(lastEventID: "") }

  /// Server-sent events behind the one with this id.
  ///
  /// - Parameter limit: the largest event, in bytes.
  public static func serverSentEvents(
    lastEventID: String, limit: Int = ServerSentEventParser.defaultLimit
  ) -> StreamFormat {
    StreamFormat(accept: "text/event-stream") { ServerSentEventParser(lastEventID: lastEventID, limit: limit) }
  }
}

/// Gives bytes as they are.
private struct DataParser: StreamParser {
  private var pieces: [Data] = []

  mutating func append(_ data: Data) {
    if !data.isEmpty { pieces.append(data) }
  }

  func finish() {}

  mutating func next() -> Data? { pieces.isEmpty ? nil : pieces.removeFirst() }
}

/// A piece of a stream that isn't what was expected, and its bytes, for the error's words.
struct UndecodablePiece: Error {
  let error: DecodingError
  let bytes: Data
}
