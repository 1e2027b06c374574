extension RetryPolicy {
  /// Limits the retries that all requests of a service make together. Set it as the configuration's `retryBudget`. Any
  /// thread may use it.
  ///
  /// Each request that may be retried and succeeds earns a part of a retry, and each retry costs a whole one. While a
  /// server is down, no request earns a retry: an outage costs the server the saved retries and no more, however long it
  /// lasts.
  public final class Budget: Sendable {
    private let ratio: Double
    private let burst: Double
    /// Guards the retries that are left.
    private let balance: Locked<Double>

    /// Allows every retry.
    public static let unlimited = RetryPolicy.Budget(burst: .infinity)

    /// Creates a budget. Services that call the same server can share one.
    ///
    /// - Parameters:
    ///   - ratio: the retries that a success earns, from 0 to 1.
    ///   - burst: the retries that the budget begins with, and saves up at most. Use at least the retry policy's attempts
    ///     less one, so that a failing request can make all attempts. A negative number counts as 0.
    public init(ratio: Double = 0.1, burst: Double = 10) {
      // The number comes second: that way round `max` turns NaN into 0.
      self.ratio = min(max(0, ratio), 1)
      self.burst = max(0, burst)
      balance = Locked(self.burst)
    }

    /// Counts a request that succeeded. Called once for each request, after the attempt that succeeded.
    package func deposit() { balance.withLock { $0 = min($0 + ratio, burst) } }

    /// Takes one retry out; `false` when none is left, and nothing may be sent again.
    package func withdraw() -> Bool {
      balance.withLock { balance in
        // Ten deposits of 0.1 come to a little less than 1.
        guard balance > 1 - 1e-9 else { return false }
        balance = max(0, balance - 1)
        return true
      }
    }
  }
}
