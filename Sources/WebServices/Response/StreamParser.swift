public import Foundation

/// Makes elements of the bytes of a stream, which may be cut anywhere: lines, JSON lines, server-sent events.
///
/// Feed it with `append(_:)` and take what is complete with `next()` until that gives `nil`; at the end of the stream
/// call `finish()` and take the rest. What comes out doesn't depend on where the pieces were cut. A parser is a value
/// without a lock: it belongs to one reader.
public protocol StreamParser: Sendable {
  /// What the parser gives out.
  associatedtype Element: Sendable

  /// Takes a piece of the stream.
  mutating func append(_ data: Data)

  /// Says that no piece follows.
  mutating func finish()

  /// The next complete element; `nil` where more bytes are needed, or at the end.
  ///
  /// - Throws: `StreamLimitError` where an element is larger than allowed, and then at each further call.
  mutating func next() throws -> Element?
}
