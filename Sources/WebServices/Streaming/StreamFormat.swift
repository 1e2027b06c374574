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
    let next: (_ isWhole: Bool) throws -> Element?
  }

  /// The value of the `Accept` field, unless the request or the configuration sets one.
  let accept: String
  let makeDecoder: @Sendable (FeatherJSONDecoder) -> Decoder
}

extension StreamFormat {
  /// - Parameters:
  ///   - finishes: whether the end of the stream ends its last line.
  ///   - makeParser: called once for each stream, on the thread that sends the request.
  init(
    accept: String, finishes: Bool = true, makeParser: @escaping @Sendable (FeatherJSONDecoder) -> LineParser<Element>
  ) {
    self.init(accept: accept) { json in
      // The closures share this variable.
      var parser = makeParser(json)
      return Decoder(append: { parser.append($0) }, next: { try parser.next(isWhole: $0 && finishes) })
    }
  }
}

extension StreamFormat where Element == Data {
  /// The bytes as they come, after decompression, in pieces of any size.
  public static var data: StreamFormat {
    StreamFormat(accept: "*/*") { _ in
      var pieces: [Data] = []
      return Decoder(
        append: { if !$0.isEmpty { pieces.append($0) } }, next: { _ in pieces.isEmpty ? nil : pieces.removeFirst() })
    }
  }
}

extension StreamFormat where Element == String {
  /// Lines of UTF-8 text, without the LF, CRLF or CR at their end.
  public static var lines: StreamFormat { lines(limit: 1 << 20) }

  /// Lines of UTF-8 text up to a length, without the LF, CRLF or CR at their end. Bytes that aren't UTF-8 become
  /// U+FFFD.
  ///
  /// - Parameter limit: the longest line, in bytes. A longer line fails the stream with an underlying
  ///   ``StreamLimitError``.
  public static func lines(limit: Int) -> StreamFormat {
    StreamFormat(accept: "text/plain, */*;q=0.5") { _ in
      LineParser(limit: limit) { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension StreamFormat where Element: Decodable {
  /// One JSON text a line ("newline-delimited JSON"). A line ends with LF. White space around the text, CR included,
  /// and empty lines are skipped.
  ///
  /// - Parameters:
  ///   - type: the type of the models. In a module of the main actor, declare it `nonisolated`.
  ///   - limit: the longest line, in bytes.
  public static func jsonLines(_ type: Element.Type = Element.self, limit: Int = 16 << 20) -> StreamFormat {
    let isContent = { @Sendable (byte: UInt8) in byte != 0x20 && byte != 0x09 && byte != UInt8.carriageReturn }
    return StreamFormat(accept: "application/x-ndjson, application/json;q=0.5") { decoder in
      LineParser(limit: limit, endsAtCarriageReturn: false) { line in
        guard let first = line.firstIndex(where: isContent), let last = line.lastIndex(where: isContent)
        else { return nil }
        let document = Data(line[first...last])
        do { return try decoder.decode(Element.self, from: document) } catch let error as DecodingError {
          // Keeps the line, so that the error can show the place in it.
          throw UndecodablePiece(error: error, bytes: document)
        }
      }
    }
  }
}

/// An element of a stream that can't be decoded, with its bytes for the error's description.
struct UndecodablePiece: Error {
  let error: DecodingError
  let bytes: Data
}

extension StreamFormat where Element == ServerSentEvent {
  /// Server-sent events of one connection. `service.serverSentEvents(_:)` connects again when the connection ends.
  public static var serverSentEvents: StreamFormat { serverSentEvents { Locked(ServerSentEventReader()) } }

  /// - Parameter makeReader: called once for each stream.
  static func serverSentEvents(_ makeReader: @escaping @Sendable () -> Locked<ServerSentEventReader>) -> StreamFormat {
    // An event that isn't complete at the end is dropped.
    StreamFormat(accept: "text/event-stream", finishes: false) { _ in
      let reader = makeReader()
      return LineParser(limit: reader.withLock { $0.limit }) { line in try reader.withLock { try $0.read(line) } }
    }
  }
}
