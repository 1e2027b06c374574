public import Foundation

/// Which failures are tried again, how often, and after what wait.
///
/// A request that may have reached the server is sent again only where it is idempotent and its body can be had again,
/// whatever the policy says; so a POST is not sent again after a status either. RFC 9110, section 9.2.2, would allow it
/// where the client knows that nothing was done, but no status says so for certain: 408 and 429 may come from a proxy,
/// and 502, 503 and 504 from one behind which the work goes on.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a request is sent at most, the first time included. Below 1 counts as 1.
  public var maximumAttempts: Int
  /// The status codes that are tried again.
  public var statusCodes: Set<Int>
  /// The failures of the transport that are tried again. `cancelled` and `invalidated` never are.
  public var transportFailures: Set<TransportError.Kind>
  /// The wait before each retry, and before a download whose connection broke goes on.
  public var backoff: Backoff
  /// The longest `Retry-After` that is waited for, in seconds. Where a server asks for more, there is no retry.
  public var longestRetryAfter: TimeInterval

  /// 408, 429, 500, 502, 503 and 504: those that may be over the next time.
  public static let standardStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// What may be over the next time: no network or name, no or a broken connection, a timeout, an answer cut short.
  public static let standardTransportFailures: Set<TransportError.Kind> = [
    .notConnected, .nameLookup, .cannotConnect, .connectionLost, .truncated,
    .timedOut(.connect), .timedOut(.idle), .timedOut(.whole),
  ]

  /// Nothing is sent again.
  public static let none = RetryPolicy(maximumAttempts: 1)

  /// Three attempts with waits of up to 0.5 and 1 seconds, or as long as the server asks for up to a minute.
  public static let standard = RetryPolicy()

  /// Creates a policy.
  public init(
    maximumAttempts: Int = 3, statusCodes: Set<Int> = standardStatusCodes,
    transportFailures: Set<TransportError.Kind> = standardTransportFailures, backoff: Backoff = Backoff(),
    longestRetryAfter: TimeInterval = 60
  ) {
    self.maximumAttempts = maximumAttempts
    self.statusCodes = statusCodes
    self.transportFailures = transportFailures
    self.backoff = backoff
    self.longestRetryAfter = longestRetryAfter
  }
}

extension RetryPolicy {
  /// What comes after an attempt.
  public enum Decision: Hashable, Sendable {
    /// The outcome is the last one.
    case stop
    /// Send the request again after so many seconds, if the budget allows.
    case retry(after: TimeInterval)
  }

  /// Decides what comes after an attempt.
  ///
  /// `Retry-After` is a lower bound: the wait before the retry comes on top of it, and at least up to a tenth of what
  /// the server asked for, so that those who were told the same don't come back at the same moment.
  ///
  /// - Parameters:
  ///   - outcome: how the attempt ended.
  ///   - attempt: its number; the first is 1.
  ///   - request: whether the request may be sent more than once.
  ///   - now: the time of day, against which a server's dates are read where its answer has no `Date`.
  ///   - random: what the wait is drawn from.
  public func decision(
    after outcome: ExchangeOutcome, attempt: Int, of request: Repeatability, now: Date, random: any RandomSource
  ) -> Decision {
    guard attempt < maximumAttempts, covers(outcome), mayRepeat(request, after: outcome) else { return .stop }
    let retry = max(1, attempt)
    guard case .answered(_, let headers) = outcome, let demanded = RetryAfter.delay(in: headers, now: now) else {
      return .retry(after: backoff.delay(retry: retry, random: random))
    }
    guard demanded <= longestRetryAfter else { return .stop }
    return .retry(after: demanded + max(backoff.ceiling(retry: retry), demanded / 10) * random.unit)
  }

  /// Whether an outcome is among those that are tried again.
  func covers(_ outcome: ExchangeOutcome) -> Bool {
    switch outcome {
    case .answered(let statusCode, _):
      statusCodes.contains(statusCode)
    case .failed(let error):
      error.kind != .cancelled && error.kind != .invalidated && transportFailures.contains(error.kind)
    }
  }

  /// Whether the request may go out once more. A body that can be had only once may have been begun even where nothing
  /// of it got out.
  private func mayRepeat(_ request: Repeatability, after outcome: ExchangeOutcome) -> Bool {
    guard request.bodyIsReplayable else { return false }
    if case .failed(let error) = outcome, !error.mayHaveReachedServer { return true }
    return request.isIdempotent
  }
}

private enum RetryKey: RequestOptionKey {
  static var defaultValue: RetryPolicy? { nil }
}

extension RequestOptions {
  /// Which failures are tried again; `nil` means the configuration's policy.
  public var retry: RetryPolicy? {
    get { self[RetryKey.self] }
    set { self[RetryKey.self] = newValue }
  }
}
