public import Foundation

/// An element of a stream is larger than the reader allows: a server that never ends a line would fill the memory.
public struct StreamLimitError: Error, Hashable, Sendable {
  /// What was too large.
  public enum Element: String, Hashable, Sendable {
    /// A line.
    case line
    /// A server-sent event: all of its data together.
    case event
  }

  /// What was too large.
  public let element: Element
  /// The largest size that is allowed, in bytes.
  public let limit: Int

  /// Creates an error.
  public init(element: Element, limit: Int) {
    self.element = element
    self.limit = limit
  }
}

extension StreamLimitError: LocalizedError, CustomStringConvertible {
  /// What was too large, and how large it may be.
  public var description: String { "the stream has \(article) \(element.rawValue) of more than \(limit) bytes" }

  /// The same as `description`.
  public var errorDescription: String? { description }

  private var article: String { element == .event ? "an" : "a" }
}
