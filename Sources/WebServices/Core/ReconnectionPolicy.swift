public import Foundation

/// When the connection of an event stream that has ended is made anew (WHATWG HTML, section 9.2.3).
public struct ReconnectionPolicy: Sendable {
  /// How often in a row a connection may fail or end without an event before the stream fails.
  public var maximumAttempts: Int
  /// The wait before a reconnection in seconds, until the server names another one (`retry`).
  public var delay: TimeInterval
  /// The longest wait, in seconds: each failure in a row doubles the wait up to it, and a server can't name a longer one.
  public var longestDelay: TimeInterval
  /// The shortest wait that a server can name, in seconds.
  public var shortestServerDelay: TimeInterval

  /// Creates a policy.
  public init(
    maximumAttempts: Int = .max, delay: TimeInterval = 3, longestDelay: TimeInterval = 60,
    shortestServerDelay: TimeInterval = 0.5
  ) {
    self.maximumAttempts = maximumAttempts
    self.delay = delay
    self.longestDelay = longestDelay
    self.shortestServerDelay = shortestServerDelay
  }

  /// Again and again, after 3 seconds or what the server says, and up to a minute after failures.
  public static let standard = ReconnectionPolicy()
  /// Never: the sequence ends with its connection.
  public static let none = ReconnectionPolicy(maximumAttempts: 0)

  /// The wait after so many failures in a row: the server's, doubled with each, the last half of it by chance. It is never
  /// longer than `longestDelay`.
  func wait(after failures: Int, serverDelay: TimeInterval?, random: any RandomSource) -> TimeInterval {
    let base = serverDelay.map { max($0, shortestServerDelay.isNaN ? 0 : shortestServerDelay) } ?? delay
    // A day is as good as endless; no number at all counts as the usual one.
    let longest = longestDelay.isNaN ? 60 : min(longestDelay, 86_400)
    let ceiling = Backoff(base: min(base, longest), factor: 2, longest: longest).ceiling(retry: max(1, failures))
    return failures < 2 ? ceiling : ceiling / 2 * (1 + random.unit)
  }
}
