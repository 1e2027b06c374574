public import Foundation

/// When the connection of an event stream that has ended is made anew (WHATWG HTML, section 9.2.3).
public struct ReconnectionPolicy: Sendable {
  /// How often in a row a connection may fail or end without an event before the stream fails.
  public var maximumAttempts: Int
  /// The wait before a reconnection in seconds, until the server names another one (`retry`).
  public var delay: TimeInterval
  /// The longest wait, in seconds: each failure in a row doubles it.
  public var longestDelay: TimeInterval

  /// Creates a policy.
  public init(maximumAttempts: Int = .max, delay: TimeInterval = 3, longestDelay: TimeInterval = 60) {
    self.maximumAttempts = maximumAttempts
    self.delay = delay
    self.longestDelay = longestDelay
  }

  /// Again and again, after 3 seconds or what the server says, and up to a minute after failures.
  public static let standard = ReconnectionPolicy()
  /// Never: the sequence ends with its connection.
  public static let none = ReconnectionPolicy(maximumAttempts: 0)

  /// The wait after so many failures in a row: the server's, doubled with each, the last half of it by chance.
  func wait(after failures: Int, serverDelay: TimeInterval?, random: any RandomSource) -> TimeInterval {
    let base = serverDelay ?? delay
    let ceiling = Backoff(base: base, factor: 2, longest: max(base, longestDelay)).ceiling(retry: max(1, failures))
    return failures < 2 ? ceiling : ceiling / 2 * (1 + random.unit)
  }
}
