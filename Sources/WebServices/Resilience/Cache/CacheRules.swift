public import Foundation

/// What an app decides for all answers that say nothing themselves.
public struct CacheRules: Hashable, Sendable {
  /// The longest time, in seconds, that an answer with a `Last-Modified` but without an expiry is taken for fresh: a
  /// tenth of its age is, up to this (RFC 9111, section 4.2.2). 0 has the server asked every time.
  public var heuristicLimit: TimeInterval
  /// How many seconds after it became stale an answer without a `stale-if-error` of its own is used where the server
  /// fails or can't be reached. Never one that says `no-cache` or `must-revalidate`.
  public var staleIfError: TimeInterval

  /// Creates rules. By default a day, and no stale answer.
  public init(heuristicLimit: TimeInterval = 24 * 60 * 60, staleIfError: TimeInterval = 0) {
    self.heuristicLimit = heuristicLimit.isNaN ? 0 : max(0, heuristicLimit)
    self.staleIfError = staleIfError.isNaN ? 0 : max(0, staleIfError)
  }
}
