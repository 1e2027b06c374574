public import Foundation

/// Limits the retries that all requests of a service make together. Set it as the configuration's `retryBudget`. Any
/// thread may use it.
public final class RetryBudget: Sendable {
  /// How many retries all requests of a service may make together.
  ///
  /// Each request that succeeds earns a part of a retry (``ratio``), and each retry costs a whole one. The budget saves
  /// up `ratio` of the traffic of the last ``window`` seconds, and at least ``burst``. A service that sends little
  /// begins with ``idleBurst``, and can save up as much. So retries never exceed `ratio` of the requests, apart from
  /// `burst` or `idleBurst`. While a server is down, no request earns a retry: an outage costs the server the saved
  /// retries and no more, however long it lasts.
  public struct Policy: Hashable, Sendable {
    /// The retries that a success earns, from 0 to 1.
    public var ratio: Double
    /// The retries that can always be saved up, even with little traffic.
    public var burst: Double
    /// The retries that a service begins with, and can save up while fewer than two of its requests succeed in a
    /// ``window``. Set it to the retry policy's attempts less one, so that a failing request can make all attempts. A
    /// number below ``burst`` counts as `burst`.
    public var idleBurst: Double
    /// The traffic that can be saved up, in seconds.
    public var window: TimeInterval

    /// A tenth of the successes, a tenth of one second's traffic at once, and at least a single retry. A service that
    /// sends little has two retries, which are the three attempts of the policy ``RetryPolicy/standard``.
    public static let standard = Policy(ratio: 0.1, burst: 1, window: 1, idleBurst: 2)

    /// Allows every retry.
    public static let unlimited = Policy(ratio: 0, burst: .infinity, window: 1)

    /// Creates a policy. A negative number counts as 0; without an `idleBurst` it is the `burst`. The window is in
    /// seconds. Each parameter sets the property of the same name.
    public init(ratio: Double, burst: Double, window: TimeInterval, idleBurst: Double? = nil) {
      self.ratio = ratio
      self.burst = burst
      self.window = window
      self.idleBurst = idleBurst ?? burst
    }
  }

  /// Guards the balance; `nil` for an unlimited budget.
  private let state: Locked<State>?

  /// Creates a budget. Services that call the same server can share one.
  public init(_ policy: Policy = .standard) {
    state = policy.burst == .infinity ? nil : Locked(State(policy))
  }

  /// Counts a request that succeeded. Called once for each request, after the attempt that succeeded.
  ///
  /// - Parameter now: the service's clock, in seconds.
  package func deposit(now: TimeInterval) {
    state?.withLock { $0.deposit(now: now) }
  }

  /// Takes one retry out; `false` when none is left, and nothing may be sent again.
  ///
  /// - Parameter now: the service's clock, in seconds.
  package func withdraw(now: TimeInterval) -> Bool {
    state?.withLock { $0.withdraw(now: now) } ?? true
  }

  /// The balance of a budget, as a value without a lock. `now` is the time of a clock that never goes back.
  struct State: Sendable {
    private let policy: Policy
    /// The retries that are left.
    private(set) var balance: Double
    /// The requests of the last `window`, as an exponentially fading count: it needs no memory of each.
    private var traffic = 0.0
    private var trafficTime: TimeInterval = 0

    init(_ policy: Policy) {
      // `max` with the number first: that way round it turns NaN into 0.
      let burst = max(0, policy.burst)
      self.policy = Policy(
        ratio: min(max(0, policy.ratio), 1), burst: burst, window: max(0, policy.window),
        idleBurst: max(burst, policy.idleBurst))
      balance = self.policy.idleBurst
    }

    mutating func deposit(now: TimeInterval) {
      traffic = fadedTraffic(now) + 1
      trafficTime = now
      balance = min(balance + policy.ratio, limit(ofTraffic: traffic))
    }

    mutating func withdraw(now: TimeInterval) -> Bool {
      // Savings fade with the traffic that earned them.
      balance = min(balance, limit(ofTraffic: fadedTraffic(now)))
      // Ten deposits of 0.1 come to a little less than 1.
      guard balance > 1 - 1e-9 else { return false }
      balance = max(0, balance - 1)
      return true
    }

    /// The most retries that can be saved up.
    private func limit(ofTraffic traffic: Double) -> Double {
      max(traffic < 2 ? policy.idleBurst : policy.burst, policy.ratio * traffic)
    }

    private func fadedTraffic(_ now: TimeInterval) -> Double {
      guard policy.window > 0 else { return 0 }
      return traffic * exp(-max(0, now - trafficTime) / policy.window)
    }
  }
}
