package import Foundation

/// Parses lines of UTF-8 text.
///
/// A line ends with LF, CR or CRLF, which isn't part of it. The last line may lack its end. A byte order mark before the
/// first line is skipped, and bytes that aren't UTF-8 become U+FFFD.
package struct LineParser: StreamParser {
  private var splitter: LineSplitter

  /// - Parameter limit: the longest line in bytes, without its end.
  package init(limit: Int = 1 << 20) {
    splitter = LineSplitter(ending: .any, limit: limit)
  }

  package mutating func append(_ data: Data) { splitter.append(data) }

  package mutating func finish() { splitter.finish() }

  package mutating func next() throws -> String? {
    try splitter.next { String(decoding: $0, as: UTF8.self) }
  }
}

/// Parses a stream of one JSON document a line (NDJSON, JSON Lines) into the bytes of each document.
///
/// A line ends with LF; the last line may lack its end. White space around the document, CR included, is skipped. Empty
/// lines and a byte order mark before the first line are skipped too.
package struct JSONLinesParser: StreamParser {
  private var splitter: LineSplitter

  /// - Parameter limit: the longest line in bytes, without its end.
  package init(limit: Int = 16 << 20) {
    splitter = LineSplitter(ending: .lineFeed, limit: limit)
  }

  package mutating func append(_ data: Data) { splitter.append(data) }

  package mutating func finish() { splitter.finish() }

  package mutating func next() throws -> Data? {
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
