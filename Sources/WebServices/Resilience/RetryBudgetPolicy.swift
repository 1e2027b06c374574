public import Foundation

/// How many retries all requests of a service may make together.
///
/// Each request that succeeds earns a part of a retry (`ratio`), each retry costs a whole one. What can be saved up is
/// `ratio` of the traffic of the last `window` seconds, and at least `burst`. So retries never come to more than `ratio`
/// of the requests, `burst` aside; and since a server that is down lets nobody earn any, an outage costs it one `window`'s
/// share or `burst` in all, however long it lasts.
public struct RetryBudgetPolicy: Hashable, Sendable {
  /// The retries that a success earns, from 0 to 1.
  public var ratio: Double
  /// The retries that can be saved up however little is going on, and those that a service begins with. At least 1 where
  /// anything shall be retried while there is little traffic.
  public var burst: Double
  /// The traffic that can be saved up, in seconds.
  public var window: TimeInterval

  /// A tenth of what succeeds, a tenth of one second's traffic at once, and at least a single retry.
  public static let standard = RetryBudgetPolicy(ratio: 0.1, burst: 1, window: 1)

  /// Every retry is allowed.
  public static let unlimited = RetryBudgetPolicy(ratio: 0, burst: .infinity, window: 1)

  /// Creates a policy. A negative number counts as 0.
  public init(ratio: Double, burst: Double, window: TimeInterval) {
    self.ratio = ratio
    self.burst = burst
    self.window = window
  }
}
