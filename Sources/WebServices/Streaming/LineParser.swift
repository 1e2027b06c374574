package import Foundation

/// Makes elements of the lines of a stream. A `LineParser` finds the lines.
package protocol LineReader: Sendable {
  associatedtype Element: Sendable

  /// Whether CR ends a line too, alone or before LF, as WHATWG defines it for event streams.
  static var endsAtCarriageReturn: Bool { get }
  /// The longest line in bytes, without its end.
  var limit: Int { get }

  /// The element that is complete with this line; `nil` if there is none.
  mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws -> Element?
}

/// Cuts a stream of bytes into lines, and skips a UTF-8 byte order mark before the first. Each byte is read once and
/// moved a bounded number of times, for any line length and any piece size.
///
/// Pass each piece to `append(_:)` and read the complete elements with `next()` until it returns `nil`. If the last line
/// may lack its line ending, call `finish()` at the end of the stream and read the rest. The elements don't depend on
/// the cuts between pieces. A parser is a value without a lock and belongs to one user.
package struct LineParser<Reader: LineReader>: Sendable {
  /// Makes the elements.
  package private(set) var reader: Reader
  private var buffer: [UInt8] = []
  /// The index at which the current line begins.
  private var lineStart = 0
  /// How far the buffer was searched for the line's end.
  private var scanned = 0
  /// The last line ended with CR, so that an LF that follows belongs to its end.
  private var skipsLineFeed = false
  private var isAtStart = true
  private var isFinished = false

  package init(_ reader: Reader) { self.reader = reader }

  package mutating func append(_ data: Data) {
    // Moved only when more than half was read, so that each byte is moved a bounded number of times.
    if lineStart > buffer.count / 2 {
      buffer.removeSubrange(..<lineStart)
      (lineStart, scanned) = (0, scanned - lineStart)
      // One long line must not keep its memory for the rest of the stream.
      if buffer.isEmpty, buffer.capacity > 1 << 20 { buffer = [] }
    }
    data.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  /// Marks the end of the stream, which ends the last line.
  package mutating func finish() { isFinished = true }

  /// The next complete element; `nil` if more bytes are needed, or at the end.
  ///
  /// - Throws: ``StreamLimitError`` if a line is longer than allowed. The parser isn't used any more then.
  package mutating func next() throws -> Reader.Element? {
    while lineStart < buffer.count {
      if skipsLineFeed, buffer[lineStart] == UInt8.lineFeed { (lineStart, scanned) = (lineStart + 1, lineStart + 1) }
      skipsLineFeed = false
      let end = buffer[scanned...].firstIndex { byte in
        byte == UInt8.lineFeed || Reader.endsAtCarriageReturn && byte == UInt8.carriageReturn
      }
      // The next search begins behind these bytes.
      scanned = end ?? buffer.count
      let mark = isAtStart && buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let line = (lineStart + mark)..<scanned
      // Checked before the line has ended, so that a line without an end can't fill the memory.
      guard line.count <= max(reader.limit, 0) else { throw StreamLimitError(limit: reader.limit) }
      guard end != nil || (isFinished && !line.isEmpty) else { return nil }
      let element = try buffer.withUnsafeBufferPointer { try reader.read(.init(rebasing: $0[line])) }
      // The LF of a CRLF may come with the next piece.
      skipsLineFeed = Reader.endsAtCarriageReturn && end.map { buffer[$0] } == UInt8.carriageReturn
      lineStart = end.map { $0 + 1 } ?? buffer.count
      (scanned, isAtStart) = (lineStart, false)
      if let element { return element }
    }
    return nil
  }
}

/// Reads lines of UTF-8 text. A line ends with LF, CR or CRLF, which isn't part of it. Bytes that aren't UTF-8 become
/// U+FFFD.
package struct TextLines: LineReader {
  package static var endsAtCarriageReturn: Bool { true }
  package let limit: Int

  package init(limit: Int = 1 << 20) { self.limit = limit }

  package func read(_ line: UnsafeBufferPointer<UInt8>) -> String? { String(decoding: line, as: UTF8.self) }
}

/// Reads a stream of one JSON document per line (NDJSON, JSON Lines). A line ends with LF. White space around the
/// document, CR included, and empty lines are skipped.
package struct JSONLines<Element: Sendable>: LineReader {
  package static var endsAtCarriageReturn: Bool { false }
  package let limit: Int
  private let decode: @Sendable (Data) throws -> Element

  /// - Parameter decode: makes the element of a document.
  package init(limit: Int, decode: @escaping @Sendable (Data) throws -> Element) {
    self.limit = limit
    self.decode = decode
  }

  package func read(_ line: UnsafeBufferPointer<UInt8>) throws -> Element? {
    let isContent = { (byte: UInt8) in byte != 0x20 && byte != 0x09 && byte != UInt8.carriageReturn }
    guard let first = line.firstIndex(where: isContent), let last = line.lastIndex(where: isContent) else { return nil }
    return try decode(Data(line[first...last]))
  }
}
