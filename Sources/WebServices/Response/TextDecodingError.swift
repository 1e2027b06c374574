public import Foundation

/// A text can't be read: its charset isn't known, or its bytes aren't of that charset.
public struct TextDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The charset isn't one of those that the library reads.
    case unknownCharset
    /// The bytes from this offset on aren't text of the charset.
    case malformed(offset: Int)
  }

  /// The charset as the server named it, or `utf-8` where it named none.
  public let charset: String
  /// What is wrong.
  public let reason: Reason

  /// Creates an error.
  public init(charset: String, reason: Reason) {
    self.charset = charset
    self.reason = reason
  }
}

extension TextDecodingError: LocalizedError, CustomStringConvertible {
  /// The charset and what is wrong.
  public var description: String {
    let name = charset.prefix(64)
    return switch reason {
    case .unknownCharset: "the charset \"\(name)\" of the text isn't known"
    case .malformed(let offset): "the text isn't \(name): the bytes from offset \(offset) on are malformed"
    }
  }

  /// The same as `description`.
  public var errorDescription: String? { description }
}
