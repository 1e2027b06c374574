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

  /// Failures that may be over the next time: no network or name, no or a broken connection, a timeout, a cut response.
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
  /// The step after an attempt.
  package enum Decision: Hashable, Sendable {
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
  package func decision(
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

/// How long to wait before an attempt: a random part of a ceiling that grows with each failure ("full jitter"), so that
/// clients that failed together don't come back together.
public struct Backoff: Hashable, Sendable {
  /// The ceiling before the first retry, in seconds.
  public var base: TimeInterval
  /// The factor by which the ceiling grows for each further retry.
  public var factor: Double
  /// The highest ceiling, in seconds.
  public var longest: TimeInterval

  /// Creates a backoff. A number that isn't finite or is negative counts as 0, a factor below 1 as 1.
  public init(base: TimeInterval = 0.5, factor: Double = 2, longest: TimeInterval = 20) {
    self.base = base
    self.factor = factor
    self.longest = longest
  }

  /// The longest wait before the retry of this number, in seconds; the first is 1.
  package func ceiling(retry: Int) -> TimeInterval {
    let base = base.isFinite ? max(0, base) : 0
    let longest = longest.isFinite ? max(0, longest) : 0
    let factor = factor.isFinite ? max(1, factor) : 1
    guard base > 0 else { return 0 }
    // Infinity where it overflows, which the minimum takes care of.
    return min(longest, base * pow(factor, Double(max(0, retry - 1))))
  }

  /// The wait before the retry of this number, in seconds: anywhere from 0 to the ceiling.
  package func delay(retry: Int, random: any RandomSource) -> TimeInterval {
    ceiling(retry: retry) * random.unit
  }
}

/// Whether a request may be sent more than once. It is found out once for a request, not for each attempt.
package struct Repeatability: Hashable, Sendable {
  /// Whether sending it twice means the same as sending it once.
  package var isIdempotent: Bool
  /// Whether its body can be had again.
  package var bodyIsReplayable: Bool

  /// Creates a value from what is known.
  package init(isIdempotent: Bool, bodyIsReplayable: Bool) {
    self.isIdempotent = isIdempotent
    self.bodyIsReplayable = bodyIsReplayable
  }

  /// Judges a request. What the caller declares counts; otherwise a method that is idempotent by definition (RFC 9110,
  /// section 9.2.2), or an `Idempotency-Key` by which the server recognizes a repetition.
  package init(method: HTTPMethod, headers: HTTPHeaders, declaredIdempotent: Bool? = nil, bodyIsReplayable: Bool) {
    self.bodyIsReplayable = bodyIsReplayable
    isIdempotent =
      declaredIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }
}

private enum IsIdempotentKey: RequestOptionKey {
  static var defaultValue: Bool? { nil }
}

extension RequestOptions {
  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent, or the
  /// headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }
}

/// How one exchange ended, as far as retrying, circuit breakers and limits look at it.
package enum ExchangeOutcome: Sendable {
  /// A whole answer came, whatever its status.
  case answered(statusCode: Int, headers: HTTPHeaders)
  /// No whole answer came.
  case failed(TransportError)

  /// The outcome of an exchange as a transport reports it.
  package init(_ result: Result<WebServiceResponse, TransportError>) {
    switch result {
    case .success(let response): self = .answered(statusCode: response.statusCode, headers: response.headers)
    case .failure(let error): self = .failed(error)
    }
  }
}
