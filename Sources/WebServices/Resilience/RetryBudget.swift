public import Foundation

/// The retries that all requests of a service have together. Any thread may use it.
public final class RetryBudget: Sendable {
  private let state: Locked<RetryBudgetState>?

  /// Creates a budget. Services that call the same server can share one.
  public init(_ policy: RetryBudgetPolicy = .standard) {
    state = policy.burst == .infinity ? nil : Locked(RetryBudgetState(policy))
  }

  /// Tells that a request succeeded, at whichever attempt; once for each request.
  ///
  /// - Parameter now: what the service's clock shows, in seconds.
  package func deposit(now: TimeInterval) {
    state?.withLock { $0.deposit(now: now) }
  }

  /// Takes one retry out; `false` where none is left, and nothing may be sent again.
  ///
  /// - Parameter now: what the service's clock shows, in seconds.
  package func withdraw(now: TimeInterval) -> Bool {
    state?.withLock { $0.withdraw(now: now) } ?? true
  }
}

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

/// The state of a retry budget, apart from the lock. `now` is a clock's and never goes back.
struct RetryBudgetState: Sendable, Equatable {
  private let ratio: Double
  private let burst: Double
  private let idleBurst: Double
  private let window: TimeInterval
  /// The retries that are left.
  private(set) var balance: Double
  /// The requests of the last `window`, as an exponentially fading count: it needs no memory of each.
  private var traffic = 0.0
  private var trafficTime: TimeInterval = 0

  init(_ policy: RetryBudgetPolicy) {
    // `max` with the number first: that way round it turns NaN into 0.
    ratio = min(max(0, policy.ratio), 1)
    burst = max(0, policy.burst)
    idleBurst = max(burst, policy.idleBurst)
    window = max(0, policy.window)
    balance = idleBurst
  }

  /// A request succeeded.
  mutating func deposit(now: TimeInterval) {
    traffic = fadedTraffic(now) + 1
    trafficTime = now
    balance = min(balance + ratio, limit(ofTraffic: traffic))
  }

  /// A retry wants to go out; `false` where the budget has none left.
  mutating func withdraw(now: TimeInterval) -> Bool {
    balance = min(balance, limit(ofTraffic: fadedTraffic(now)))
    // Ten deposits of 0.1 come to a little less than 1.
    guard balance > 1 - 1e-9 else { return false }
    balance = max(0, balance - 1)
    return true
  }

  /// The most retries that can be saved up.
  private func limit(ofTraffic traffic: Double) -> Double {
    max(traffic < 2 ? idleBurst : burst, ratio * traffic)
  }

  private func fadedTraffic(_ now: TimeInterval) -> Double {
    guard window > 0 else { return 0 }
    return traffic * exp(-max(0, now - trafficTime) / window)
  }
}
