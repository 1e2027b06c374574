public import Foundation

/// Decides when an event stream connects again after its connection has ended (WHATWG HTML, section 9.2.3). Pass it to
/// `serverSentEvents(_:reconnecting:)`.
public struct ReconnectionPolicy: Sendable {
  /// How many connections in a row may fail or end without an event before the stream fails.
  public var maximumAttempts: Int
  /// The wait before a reconnection in seconds, until the server names another (`retry`).
  public var delay: TimeInterval
  /// The longest wait, in seconds. Each failure in a row doubles the wait, and the server may name a long one.
  public var longestDelay: TimeInterval

  /// Creates a policy. Each parameter sets the property of the same name.
  public init(maximumAttempts: Int = .max, delay: TimeInterval = 3, longestDelay: TimeInterval = 60) {
    self.maximumAttempts = maximumAttempts
    self.delay = delay
    self.longestDelay = longestDelay
  }

  /// Connects again without end, after 3 seconds or the server's wait, and up to a minute after failures.
  public static let standard = ReconnectionPolicy()
  /// Never connects again: the sequence ends with its connection.
  public static let none = ReconnectionPolicy(maximumAttempts: 0)

  /// The wait after this many failures in a row: the server's wait or `delay`, doubled with each further failure. Half
  /// of the wait is random from the second failure on. The wait is never longer than `longestDelay`.
  func wait(after failures: Int, serverDelay: TimeInterval?, random: RetryPolicy.RandomSource) -> TimeInterval {
    // A server can't name a shorter wait than half a second.
    let base = serverDelay.map { max($0, 0.5) } ?? delay
    // At most a day; NaN counts as the standard minute.
    let longest = longestDelay.isNaN ? 60 : min(longestDelay, 86_400)
    let ceiling = RetryPolicy.Backoff(base: min(base, longest), factor: 2, longest: longest).ceiling(
      retry: max(1, failures))
    return failures < 2 ? ceiling : ceiling / 2 * (1 + random.unit)
  }
}
