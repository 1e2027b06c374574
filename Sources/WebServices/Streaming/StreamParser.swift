package import Foundation

/// Parses the bytes of a stream as elements: lines, JSON lines, server-sent events.
///
/// Pass each piece to `append(_:)` and read the complete elements with `next()` until it returns `nil`. At the end of
/// the stream call `finish()` and read the rest. The elements don't depend on the cuts between pieces. A parser is a
/// value without a lock and belongs to one reader.
package protocol StreamParser: Sendable {
  associatedtype Element: Sendable

  mutating func append(_ data: Data)

  /// Marks the end of the stream.
  mutating func finish()

  /// The next complete element; `nil` if more bytes are needed, or at the end.
  ///
  /// - Throws: ``StreamLimitError`` if an element is larger than allowed. The parser isn't used any more then.
  mutating func next() throws -> Element?
}
