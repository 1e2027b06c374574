public import Foundation

/// How many retries all requests of a service may make together.
///
/// Each request that succeeds earns a part of a retry (`ratio`), each retry costs a whole one. What can be saved up is
/// `ratio` of the traffic of the last `window` seconds, and at least `burst`. A service that sends little begins with
/// `idleBurst`, and can save up so much. So retries never come to more than `ratio` of the requests, `burst` or
/// `idleBurst` aside; and since a server that is down lets nobody earn any, an outage costs it what was saved up and no
/// more, however long it lasts.
public struct RetryBudgetPolicy: Hashable, Sendable {
  /// The retries that a success earns, from 0 to 1.
  public var ratio: Double
  /// The retries that can be saved up whatever the traffic is.
  public var burst: Double
  /// The retries that a service begins with, and can save up while fewer than two of its requests succeed in a `window`.
  /// With one less than the policy's attempts a request that fails can make all of them. Less than `burst` counts as
  /// `burst`.
  public var idleBurst: Double
  /// The traffic that can be saved up, in seconds.
  public var window: TimeInterval

  /// A tenth of what succeeds, a tenth of one second's traffic at once, and at least a single retry; two retries, which
  /// are the three attempts of `RetryPolicy.standard`, where little is sent.
  public static let standard = RetryBudgetPolicy(ratio: 0.1, burst: 1, window: 1, idleBurst: 2)

  /// Every retry is allowed.
  public static let unlimited = RetryBudgetPolicy(ratio: 0, burst: .infinity, window: 1)

  /// Creates a policy. A negative number counts as 0; without an `idleBurst` it is the `burst`.
  public init(ratio: Double, burst: Double, window: TimeInterval, idleBurst: Double? = nil) {
    self.ratio = ratio
    self.burst = burst
    self.window = window
    self.idleBurst = idleBurst ?? burst
  }
}
