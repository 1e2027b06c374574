public import Foundation

/// Makes JSON documents of a stream that has one a line (NDJSON, JSON Lines): the bytes of each, not decoded yet.
///
/// A line ends with LF; white space around the document, a CR too, is left out, and so are lines with nothing else and a
/// byte order mark before the first. The last line may lack its end.
public struct JSONLinesParser: StreamParser {
  /// The limit where none is named: 16 MiB.
  public static let defaultLimit = 16 << 20

  private var splitter: LineSplitter

  /// Creates a parser.
  ///
  /// - Parameter limit: the longest line in bytes, its end not counted.
  public init(limit: Int = JSONLinesParser.defaultLimit) {
    splitter = LineSplitter(ending: .lineFeed, limit: limit)
  }

  /// Takes a piece of the stream.
  public mutating func append(_ data: Data) {
    splitter.append(data)
  }

  /// Says that no piece follows.
  public mutating func finish() {
    splitter.finish()
  }

  /// The bytes of the next document; `nil` where more bytes are needed, or at the end.
  ///
  /// - Throws: `StreamLimitError` where a line is longer than allowed.
  public mutating func next() throws -> Data? {
    while let line = try splitter.next(Self.trimmed) {
      if !line.isEmpty { return line }
    }
    return nil
  }

  private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Data {
    let isContent = { (byte: UInt8) in byte != 0x20 && byte != 0x09 && byte != UInt8.carriageReturn }
    guard let first = bytes.firstIndex(where: isContent), let last = bytes.lastIndex(where: isContent) else {
      return Data()
    }
    return Data(bytes[first...last])
  }
}
