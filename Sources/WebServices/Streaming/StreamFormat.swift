public import Foundation

/// Describes how the bytes of a stream become elements while they come.
///
/// ```swift
/// for try await line in try await service.stream(RequestDataForLog(), as: .lines) { … }
/// ```
///
/// The article <doc:ReadingStreams> has samples.
public struct StreamFormat<Element: Sendable>: Sendable {
  /// A parser at work on one stream. One reader uses it, one call at a time.
  struct Decoder {
    let append: (Data) -> Void
    let finish: () -> Void
    let next: () throws -> Element?
  }

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  let accept: String
  let makeDecoder: @Sendable (FeatherJSONDecoder) -> Decoder
}

extension StreamFormat {
  /// - Parameter makeReader: called once for each stream, on the thread that sends the request.
  init<Reader: LineReader>(
    accept: String, makeReader: @escaping @Sendable (FeatherJSONDecoder) -> Reader
  ) where Reader.Element == Element {
    self.init(accept: accept) { json in
      // The three closures share this variable, and hide the reader's type.
      var parser = LineParser(makeReader(json))
      return Decoder(append: { parser.append($0) }, finish: { parser.finish() }, next: { try parser.next() })
    }
  }
}

extension StreamFormat where Element == Data {
  /// The bytes as they come, after decompression, in pieces of any size.
  public static var data: StreamFormat {
    StreamFormat(accept: "*/*") { _ in
      var pieces: [Data] = []
      return Decoder(
        append: { if !$0.isEmpty { pieces.append($0) } }, finish: {},
        next: { pieces.isEmpty ? nil : pieces.removeFirst() })
    }
  }
}

extension StreamFormat where Element == String {
  /// Lines of UTF-8 text, without the LF, CRLF or CR at their end.
  public static var lines: StreamFormat { lines(limit: 1 << 20) }

  /// Lines of UTF-8 text up to a length, without the LF, CRLF or CR at their end.
  ///
  /// - Parameter limit: the longest line, in bytes. A longer line fails the stream with an underlying
  ///   ``StreamLimitError``.
  public static func lines(limit: Int) -> StreamFormat {
    StreamFormat(accept: "text/plain, */*;q=0.5", makeReader: { _ in TextLines(limit: limit) })
  }
}

extension StreamFormat where Element: Decodable {
  /// One JSON text a line ("newline-delimited JSON"); empty lines are skipped.
  ///
  /// - Parameters:
  ///   - type: the type of the models. In a module of the main actor, declare it `nonisolated`.
  ///   - limit: the longest line, in bytes.
  public static func jsonLines(_ type: Element.Type = Element.self, limit: Int = 16 << 20) -> StreamFormat {
    StreamFormat(
      accept: "application/x-ndjson, application/json;q=0.5",
      makeReader: { decoder in
        JSONLines(limit: limit) { line in
          do {
            return try decoder.decode(Element.self, from: line)
          } catch let error as DecodingError {
            // Keeps the line, so that the error can show the place in it.
            throw UndecodablePiece(error: error, bytes: line)
          }
        }
      })
  }
}

extension StreamFormat where Element == ServerSentEvent {
  /// Server-sent events of one connection. `service.serverSentEvents(_:)` connects again when the connection ends.
  public static var serverSentEvents: StreamFormat { serverSentEvents { Locked(LineParser(ServerSentEventReader())) } }

  /// - Parameter makeParser: called once for each stream.
  static func serverSentEvents(
    _ makeParser: @escaping @Sendable () -> Locked<LineParser<ServerSentEventReader>>
  ) -> StreamFormat {
    StreamFormat(accept: "text/event-stream") { _ in
      let parser = makeParser()
      // Without `finish`, an event that isn't complete at the end is dropped.
      return Decoder(
        append: { data in parser.withLock { $0.append(data) } }, finish: {},
        next: { try parser.withLock { try $0.next() } })
    }
  }
}
