import Foundation

/// What a retry budget has, apart from the lock. `now` is a clock's and never goes back.
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

  /// What can be saved up.
  private func limit(ofTraffic traffic: Double) -> Double {
    max(traffic < 2 ? idleBurst : burst, ratio * traffic)
  }

  private func fadedTraffic(_ now: TimeInterval) -> Double {
    guard window > 0 else { return 0 }
    return traffic * exp(-max(0, now - trafficTime) / window)
  }
}
