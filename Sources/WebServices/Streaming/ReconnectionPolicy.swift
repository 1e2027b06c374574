public import Foundation

/// Decides when an event stream connects again after its connection has ended (WHATWG HTML, section 9.2.3). Pass it to
/// `serverSentEvents(_:reconnecting:)`.
public struct ReconnectionPolicy: Sendable {
  /// How many connections in a row may fail or end without an event. The stream then ends as the next such connection
  /// does: with its error, or without one.
  public var attemptLimit: Int
  /// The wait before a reconnection in seconds, until the server names another (`retry`).
  public var delay: TimeInterval
  /// The longest wait, in seconds. Each failure in a row doubles the wait, and the server may name a long one.
  public var delayLimit: TimeInterval

  /// Creates a policy. Each parameter sets the property of the same name.
  public init(attemptLimit: Int = .max, delay: TimeInterval = 3, delayLimit: TimeInterval = 60) {
    self.attemptLimit = attemptLimit
    self.delay = delay
    self.delayLimit = delayLimit
  }

  /// Connects again without end, after 3 seconds or the server's wait, and up to a minute after failures.
  public static let standard = ReconnectionPolicy()
  /// Never connects again: the sequence ends with its connection.
  public static let none = ReconnectionPolicy(attemptLimit: 0)

  /// The wait after this many failures in a row: the server's wait or `delay`, doubled with each further failure. Half
  /// of the wait is random from the second failure on. The wait is never longer than `delayLimit`.
  func wait(after failures: Int, serverDelay: TimeInterval?, random: RetryPolicy.RandomSource) -> TimeInterval {
    // A server can't name a shorter wait than half a second.
    let base = serverDelay.map { max($0, 0.5) } ?? delay
    // NaN counts as the standard minute.
    let longest = delayLimit.isNaN ? 60 : delayLimit
    let ceiling = RetryPolicy.Backoff(base: min(base, longest), factor: 2, limit: longest).ceiling(retry: failures)
    return failures < 2 ? ceiling : ceiling / 2 * (1 + random.unit)
  }
}
