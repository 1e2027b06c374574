package import Foundation

/// Cuts a stream of bytes into lines, makes an element of each, and skips a UTF-8 byte order mark before the first. The
/// last line may lack its line ending. Each byte is read once and moved a bounded number of times, for any line length and any
/// piece size.
package struct LineSplitter<Element: Sendable>: StreamParser {
  /// Whether CR ends a line too, alone or before LF, as WHATWG defines it for event streams.
  private let endsAtCarriageReturn: Bool
  private let limit: Int
  private let read: @Sendable (UnsafeBufferPointer<UInt8>) throws -> Element?
  private var buffer: [UInt8] = []
  /// The index at which the current line begins.
  private var lineStart = 0
  /// How far the buffer was searched for the line's end.
  private var scanned = 0
  /// The last line ended with CR, so that an LF that follows belongs to its end.
  private var skipsLineFeed = false
  private var isAtStart = true
  private var isFinished = false

  /// - Parameters:
  ///   - limit: the longest line in bytes, without its end.
  ///   - read: makes the element of a line; `nil` skips the line.
  init(
    endsAtCarriageReturn: Bool, limit: Int, read: @escaping @Sendable (UnsafeBufferPointer<UInt8>) throws -> Element?
  ) {
    self.endsAtCarriageReturn = endsAtCarriageReturn
    self.limit = max(limit, 0)
    self.read = read
  }

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

  package mutating func finish() { isFinished = true }

  package mutating func next() throws -> Element? {
    while lineStart < buffer.count {
      if skipsLineFeed, buffer[lineStart] == UInt8.lineFeed { (lineStart, scanned) = (lineStart + 1, lineStart + 1) }
      skipsLineFeed = false
      let end = buffer[scanned...].firstIndex { byte in
        byte == UInt8.lineFeed || endsAtCarriageReturn && byte == UInt8.carriageReturn
      }
      // The next search begins behind these bytes.
      scanned = end ?? buffer.count
      let mark = isAtStart && buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let line = (lineStart + mark)..<scanned
      // Checked before the line has ended, so that a line without an end can't fill the memory.
      guard line.count <= limit else { throw StreamLimitError(limit: limit) }
      guard end != nil || (isFinished && !line.isEmpty) else { return nil }
      let element = try buffer.withUnsafeBufferPointer { try read(.init(rebasing: $0[line])) }
      // The LF of a CRLF may come with the next piece.
      skipsLineFeed = endsAtCarriageReturn && end.map { buffer[$0] } == UInt8.carriageReturn
      lineStart = end.map { $0 + 1 } ?? buffer.count
      (scanned, isAtStart) = (lineStart, false)
      if let element { return element }
    }
    return nil
  }
}

/// Parses lines of UTF-8 text. A line ends with LF, CR or CRLF, which isn't part of it. Bytes that aren't UTF-8 become
/// U+FFFD.
package typealias LineParser = LineSplitter<String>

extension LineParser {
  /// - Parameter limit: the longest line in bytes, without its end.
  package init(limit: Int = 1 << 20) {
    self.init(endsAtCarriageReturn: true, limit: limit) { String(decoding: $0, as: UTF8.self) }
  }
}

extension LineSplitter {
  /// Parses a stream of one JSON document per line (NDJSON, JSON Lines). A line ends with LF. White space around the
  /// document, CR included, and empty lines are skipped.
  ///
  /// - Parameters:
  ///   - limit: the longest line in bytes, without its end.
  ///   - decode: makes the element of a document.
  package init(jsonLimit limit: Int, decode: @escaping @Sendable (Data) throws -> Element) {
    self.init(endsAtCarriageReturn: false, limit: limit) { bytes in
      let isContent = { (byte: UInt8) in byte != 0x20 && byte != 0x09 && byte != UInt8.carriageReturn }
      guard let first = bytes.firstIndex(where: isContent), let last = bytes.lastIndex(where: isContent) else {
        return nil
      }
      return try decode(Data(bytes[first...last]))
    }
  }
}
