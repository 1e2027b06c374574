public import Foundation

/// Tells why a paged collection was stopped before its end. The error contains nothing that the server sent.
public struct PagingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There are more pages than the sequence allows.
    case tooManyPages
    /// The server names a next cursor or URL that was requested before.
    case repeatedPosition
    /// The server gave the same page twice in a row: it ignores the position.
    case repeatedPage
    /// The link to the next page leads to another origin, where credentials must not go.
    case otherOrigin
  }

  /// What is wrong.
  public let reason: Reason
  /// How many pages were read before.
  public let pageCount: Int

  /// Creates an error. Each parameter sets the property of the same name.
  public init(_ reason: Reason, pageCount: Int) {
    self.reason = reason
    self.pageCount = pageCount
  }
}

extension PagingError: LocalizedError, CustomStringConvertible, DescribedByLibrary {
  /// What is wrong, and after how many pages.
  public var description: String {
    let what =
      switch reason {
      case .tooManyPages: "the collection has more pages than allowed"
      case .repeatedPosition: "the server names a page as the next that was already read"
      case .repeatedPage: "the server sent the same page twice"
      case .otherOrigin: "the link to the next page leads to another origin"
      }
    return "\(what) (after \(pageCount) \(pageCount == 1 ? "page" : "pages"))"
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}
