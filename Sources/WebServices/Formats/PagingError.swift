public import Foundation

/// Tells why a paged collection was stopped before its end. The error contains nothing that the server sent.
public enum PagingError: Error, Hashable, Sendable {
  /// There are more pages than the sequence allows.
  case tooManyPages
  /// The server names a next cursor or URL that was requested before.
  case repeatedPosition
  /// The link to the next page leads to another origin, where credentials must not go.
  case otherOrigin
}

extension PagingError: LocalizedError, CustomStringConvertible, DescribedByLibrary {
  /// The reason in words for developers.
  public var description: String {
    switch self {
    case .tooManyPages: "the collection has more pages than allowed"
    case .repeatedPosition: "the server names a page as the next that was already read"
    case .otherOrigin: "the link to the next page leads to another origin"
    }
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}
