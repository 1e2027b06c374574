package import Foundation

/// Cuts a stream of bytes into lines, and skips a UTF-8 byte order mark before the first. Each byte is read once and
/// moved at most once, for any line length and any piece size.
///
/// Pass each piece to `append(_:)` and read the complete elements with `next` until it returns `nil`. If the last line
/// may lack its line ending, read the rest with `isWhole` at the end of the stream. The elements don't depend on the
/// cuts between pieces. A parser is a value without a lock and belongs to one user.
package struct LineParser<Element> {
  /// Makes the element that is complete with a line; `nil` if there is none.
  package typealias Read = (UnsafeBufferPointer<UInt8>) throws -> Element?

  private let limit: Int
  private let endsAtCarriageReturn: Bool
  private let read: Read
  private var buffer: [UInt8] = []
  /// The index at which the current line begins.
  private var lineStart = 0
  /// How far the buffer was searched for the line's end.
  private var scanned = 0
  /// The last line ended with CR, so that an LF that follows belongs to its end.
  private var skipsLineFeed = false
  private var isAtStart = true

  /// - Parameters:
  ///   - limit: the longest line in bytes, without its end.
  ///   - endsAtCarriageReturn: whether CR ends a line too, alone or before LF, as WHATWG defines it for event streams.
  package init(limit: Int, endsAtCarriageReturn: Bool = true, read: @escaping Read) {
    self.limit = limit
    self.endsAtCarriageReturn = endsAtCarriageReturn
    self.read = read
  }

  package mutating func append(_ data: Data) {
    // The beginning of a line moves to the front, once.
    buffer.removeSubrange(..<lineStart)
    (lineStart, scanned) = (0, scanned - lineStart)
    // One long line must not keep its memory for the rest of the stream.
    if buffer.isEmpty, buffer.capacity > 1 << 20 { buffer = [] }
    data.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  /// The next complete element; `nil` if more bytes are needed, or at the end.
  ///
  /// - Parameter isWhole: whether the end of the bytes is that of the stream, and ends the last line.
  /// - Throws: ``StreamLimitError`` if a line is longer than allowed. The parser isn't used any more then.
  package mutating func next(isWhole: Bool = false) throws -> Element? {
    while lineStart < buffer.count {
      if skipsLineFeed, buffer[lineStart] == UInt8.lineFeed { (lineStart, scanned) = (lineStart + 1, lineStart + 1) }
      skipsLineFeed = false
      let otherEnd = endsAtCarriageReturn ? UInt8.carriageReturn : UInt8.lineFeed
      let end = buffer[scanned...].firstIndex { $0 == UInt8.lineFeed || $0 == otherEnd }
      // The next search begins behind these bytes.
      scanned = end ?? buffer.count
      let mark = isAtStart && buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let line = (lineStart + mark)..<scanned
      // Checked before the line has ended, so that a line without an end can't fill the memory.
      guard line.count <= limit else { throw StreamLimitError(limit: limit) }
      guard end != nil || (isWhole && !line.isEmpty) else { return nil }
      let element = try buffer.withUnsafeBufferPointer { try read(.init(rebasing: $0[line])) }
      // The LF of a CRLF may come with the next piece.
      skipsLineFeed = end.map { buffer[$0] } == UInt8.carriageReturn
      lineStart = end.map { $0 + 1 } ?? buffer.count
      (scanned, isAtStart) = (lineStart, false)
      if let element { return element }
    }
    return nil
  }
}

/// The error of a stream with a line or a server-sent event that is larger than the limit. Without a limit, a server
/// that never ends a line would fill the memory.
public struct StreamLimitError: DescribedByLibrary, Hashable, Sendable {
  /// The largest size that is allowed, in bytes.
  public let limit: Int

  /// The limit in words for developers.
  public var description: String { "the stream has a line or an event of more than \(limit) bytes" }
}
