public import Foundation

/// The error of a stream with a line or a server-sent event that is larger than the limit. Without a limit, a server
/// that never ends a line would fill the memory.
public struct StreamLimitError: Error, Hashable, Sendable {
  /// The largest size that is allowed, in bytes.
  public let limit: Int
}

extension StreamLimitError: LocalizedError, CustomStringConvertible, DescribedByLibrary {
  /// The limit in words for developers.
  public var description: String { "the stream has a line or an event of more than \(limit) bytes" }

  /// ``description``, for `localizedDescription`.
  public var errorDescription: String? { description }
}
