public import Foundation

/// Decides which failures are retried, how often, and after which delay.
///
/// Under any policy, a request that may have reached the server is sent again only if it is idempotent and its body is
/// replayable. A POST is not sent again after a status either. RFC 9110, section 9.2.2, would allow it if the client
/// knew that the server did nothing, but no status proves that. A proxy may send 408 and 429, and the server may
/// continue behind a proxy that sends 502, 503 and 504.
///
/// The article <doc:KeepingWorking> has samples.
public struct RetryPolicy: Sendable {
  /// The most attempts, the first included. A number below 1 counts as 1. Transfers that resume a download don't count.
  public var attemptLimit: Int
  /// The status codes that are tried again.
  public var statusCodes: Set<Int>
  /// The failures of the transport that are tried again. `cancelled` and `invalidated` are never tried again.
  public var transportFailures: Set<TransportError.Kind>
  /// Decides which outcomes of which attempts are tried again, in place of the two sets above. The first attempt is 1.
  /// A response of 200...299 is never tried again. The closure runs on a queue of the library.
  public var rule: (@Sendable (Result<WebServiceResponse, TransportError>, _ attempt: Int) -> Bool)?
  /// The delays before retries, and before a broken download resumes.
  public var backoff: Backoff
  /// The longest `Retry-After` that is waited for, in seconds. When a server asks for more, there is no retry.
  public var retryAfterLimit: TimeInterval

  /// The statuses 408, 429, 500, 502, 503 and 504, whose cause may be gone at the next attempt.
  public static let standardStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Failures whose cause may be gone at the next attempt: no network or name, no or a broken connection, a timeout, a
  /// cut response.
  public static let standardTransportFailures: Set<TransportError.Kind> = [
    .notConnected, .nameLookup, .cannotConnect, .connectionLost, .truncated,
    .timedOut(.connect), .timedOut(.idle), .timedOut(.whole),
  ]

  /// Retries nothing.
  public static let none = RetryPolicy(attemptLimit: 1)

  /// Makes three attempts, with waits of up to 0.5 and 1 seconds, or as long as the server asks for up to a minute.
  public static let standard = RetryPolicy()

  /// Creates a policy. `retryAfterLimit` is in seconds. Each parameter sets the property of the same name.
  public init(
    attemptLimit: Int = 3, statusCodes: Set<Int> = standardStatusCodes,
    transportFailures: Set<TransportError.Kind> = standardTransportFailures, backoff: Backoff = Backoff(),
    retryAfterLimit: TimeInterval = 60,
    rule: (@Sendable (Result<WebServiceResponse, TransportError>, _ attempt: Int) -> Bool)? = nil
  ) {
    self.attemptLimit = attemptLimit
    self.statusCodes = statusCodes
    self.transportFailures = transportFailures
    self.backoff = backoff
    self.retryAfterLimit = retryAfterLimit
    self.rule = rule
  }
}

extension RetryPolicy {
  /// The wait before an attempt: a random part of a ceiling that grows with each failure ("full jitter"). Clients that
  /// failed together don't come back together.
  public struct Backoff: Hashable, Sendable {
    /// The ceiling before the first retry, in seconds.
    public var base: TimeInterval
    /// The factor by which the ceiling grows for each further retry.
    public var factor: Double
    /// The highest ceiling, in seconds.
    public var limit: TimeInterval

    /// Creates a backoff. Times are in seconds. A time that isn't finite or is negative counts as 0. A factor that isn't
    /// finite or is below 1 counts as 1. Each parameter sets the property of the same name.
    public init(base: TimeInterval = 0.5, factor: Double = 2, limit: TimeInterval = 20) {
      self.base = base
      self.factor = factor
      self.limit = limit
    }

    /// The longest wait before the retry of this number, in seconds; the first is 1.
    package func ceiling(retry: Int) -> TimeInterval {
      let base = base.isFinite ? max(0, base) : 0
      let limit = limit.isFinite ? max(0, limit) : 0
      let factor = factor.isFinite ? max(1, factor) : 1
      guard base > 0 else { return 0 }
      // An overflow is infinity, which the minimum replaces.
      return min(limit, base * pow(factor, Double(max(0, retry - 1))))
    }

    /// The wait before the retry of this number, in seconds: anywhere from 0 to the ceiling.
    package func delay(retry: Int, random: RandomSource) -> TimeInterval { ceiling(retry: retry) * random.unit }
  }
}

extension RetryPolicy {
  /// Decides whether another attempt follows, and after which delay.
  ///
  /// `Retry-After` is a lower bound. The policy adds a random delay of up to a tenth of `Retry-After`, or of up to the
  /// backoff's ceiling if that is longer. Clients with the same `Retry-After` therefore don't come back at the same
  /// moment.
  ///
  /// - Parameters:
  ///   - result: the end of the attempt.
  ///   - attempt: its number; the first is 1.
  ///   - request: whether the request may be sent more than once.
  ///   - now: the time of day. It stands for the server's time if the response has no `Date`.
  ///   - random: the source of the delay.
  /// - Returns: the delay in seconds; `nil` if the outcome is the last one.
  package func delay(
    after result: Result<WebServiceResponse, TransportError>, attempt: Int, of request: Repeatability, now: Date,
    random: RandomSource
  ) -> TimeInterval? {
    guard attempt < attemptLimit, mayRepeat(request, after: result), covers(result, attempt) else { return nil }
    // The retry after attempt n has the number n.
    let retry = max(1, attempt)
    guard case .success(let response) = result, let demanded = response.headers.retryAfter(now: now) else {
      return backoff.delay(retry: retry, random: random)
    }
    // A shorter wait than the server demands would ignore the server.
    guard demanded <= retryAfterLimit else { return nil }
    return demanded + max(backoff.ceiling(retry: retry), demanded / 10) * random.unit
  }

  /// Whether the policy retries requests with this result.
  private func covers(_ result: Result<WebServiceResponse, TransportError>, _ attempt: Int) -> Bool {
    switch result {
    case .failure(let error) where error.kind == .cancelled || error.kind == .invalidated: false
    case _ where rule != nil: rule?(result, attempt) == true
    case .success(let response): statusCodes.contains(response.statusCode)
    case .failure(let error): transportFailures.contains(error.kind)
    }
  }

  /// Whether the request may be sent once more. A body that can be read only once may have been read in part, even if
  /// nothing was sent.
  private func mayRepeat(
    _ request: Repeatability, after result: Result<WebServiceResponse, TransportError>
  ) -> Bool {
    guard request.bodyIsReplayable else { return false }
    // No method is unsafe to repeat if the server has seen nothing.
    if case .failure(let error) = result, !error.mayHaveReachedServer { return true }
    return request.isIdempotent
  }
}

private enum RetryKey: LibraryOptionKey { static var defaultValue: RetryPolicy? { nil } }

extension RequestOptions {
  /// Decides which failures are tried again; `nil` means the configuration's policy.
  public var retry: RetryPolicy? {
    get { self[RetryKey.self] }
    set { self[RetryKey.self] = newValue }
  }
}

/// The facts that decide whether a request may be sent more than once.
package struct Repeatability: Hashable, Sendable {
  /// Whether sending it twice means the same as sending it once.
  package var isIdempotent: Bool
  /// Whether its body can be read again.
  package var bodyIsReplayable: Bool

  /// Judges a request. The caller's declaration counts first. Then a method counts that is idempotent by definition
  /// (RFC 9110, section 9.2.2), or an `Idempotency-Key`, by which the server recognizes a repetition.
  package init(method: HTTPMethod, headers: HTTPHeaders, declaredIdempotent: Bool? = nil, bodyIsReplayable: Bool) {
    self.bodyIsReplayable = bodyIsReplayable
    isIdempotent =
      declaredIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }
}

private enum IsIdempotentKey: LibraryOptionKey { static var defaultValue: Bool? { nil } }

extension RequestOptions {
  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent,
  /// or the headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }
}
