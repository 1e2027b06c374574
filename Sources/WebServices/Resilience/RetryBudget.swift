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
  public func deposit(now: TimeInterval) {
    state?.withLock { $0.deposit(now: now) }
  }

  /// Takes one retry out; `false` where none is left, and nothing may be sent again.
  ///
  /// - Parameter now: what the service's clock shows, in seconds.
  public func withdraw(now: TimeInterval) -> Bool {
    state?.withLock { $0.withdraw(now: now) } ?? true
  }
}
