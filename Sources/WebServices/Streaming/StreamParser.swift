public import Foundation

/// Parses the bytes of a stream as elements: lines, JSON lines, server-sent events.
///
/// Pass each piece to ``append(_:)`` and read the complete elements with ``next()`` until it returns `nil`. At the end
/// of the stream call ``finish()`` and read the rest. The elements don't depend on the cuts between pieces. A parser is
/// a value without a lock and belongs to one reader.
public protocol StreamParser: Sendable {
  /// The type of the elements.
  associatedtype Element: Sendable

  /// Adds a piece of the stream.
  mutating func append(_ data: Data)

  /// Marks the end of the stream.
  mutating func finish()

  /// The next complete element; `nil` if more bytes are needed, or at the end.
  ///
  /// - Throws: ``StreamLimitError`` if an element is larger than allowed, and then at each further call.
  mutating func next() throws -> Element?
}

/// The error of a stream that has an element larger than the limit. Without a limit, a server that never ends a line
/// would fill the memory.
public struct StreamLimitError: Error, Hashable, Sendable {
  /// A kind of element that has a limit.
  public enum Element: String, Hashable, Sendable {
    /// A line.
    case line
    /// A server-sent event: all of its data together.
    case event
  }

  /// The kind of the element.
  public let element: Element
  /// The largest size that is allowed, in bytes.
  public let limit: Int

  /// Creates an error. Each parameter sets the property of the same name.
  public init(element: Element, limit: Int) {
    self.element = element
    self.limit = limit
  }
}

extension StreamLimitError: LocalizedError, CustomStringConvertible, DescribedByLibrary {
  /// The kind of the element and its limit.
  public var description: String {
    "the stream has \(element == .event ? "an" : "a") \(element.rawValue) of more than \(limit) bytes"
  }

  /// ``description``, for `localizedDescription`.
  public var errorDescription: String? { description }
}
