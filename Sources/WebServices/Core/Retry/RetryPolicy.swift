public import Foundation

/// Decides which failures are retried, how often, and after which delay.
///
/// Under any policy, a request that may have reached the server is sent again only if it is idempotent and its body is
/// replayable. A POST is not sent again after a status either. RFC 9110, section 9.2.2, would allow it if the client
/// knew that the server did nothing, but no status proves that. A proxy may send 408 and 429, and the server may
/// continue behind a proxy that sends 502, 503 and 504. Only your ``rule`` can know more.
///
/// The article <doc:KeepingWorking> has samples.
public struct RetryPolicy: Sendable {
  /// The most attempts, the first included. A number below 1 counts as 1. Transfers that resume a download don't count.
  public var attemptLimit: Int
  /// The status codes that are tried again.
  public var statusCodes: Set<Int>
  /// The failures of the transport that are tried again. `cancelled` and `invalidated` are never tried again.
  public var transportFailures: Set<TransportError.Kind>
  /// Decides which outcomes of which attempts are tried again, before the two sets above. With `nil` the sets decide.
  /// The first attempt is 1. The closure sees no response of 200...299, which is never tried again, and no 401 that
  /// leads to another token. It runs on a queue of the library.
  public var rule: (@Sendable (Result<WebServiceResponse, TransportError>, _ attempt: Int) -> Decision?)?
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
    rule: (@Sendable (Result<WebServiceResponse, TransportError>, _ attempt: Int) -> Decision?)? = nil
  ) {
    self.attemptLimit = attemptLimit
    self.statusCodes = statusCodes
    self.transportFailures = transportFailures
    self.backoff = backoff
    self.retryAfterLimit = retryAfterLimit
    self.rule = rule
  }

  /// Says what follows the outcome of an attempt. A ``RetryPolicy/rule`` returns it.
  public enum Decision: Sendable {
    /// Changes the header fields of the request before it is sent again. It runs once, on a queue of the library.
    public typealias Change = @Sendable (inout HTTPHeaders) -> Void

    /// The outcome is the last one.
    case stop
    /// Sends the request again, if attempts, budget and deadline allow another attempt.
    ///
    /// - Parameters:
    ///   - after: the exact wait in seconds; more than ``RetryPolicy/retryAfterLimit`` ends the request. With `nil` the
    ///     wait is the policy's.
    ///   - wasNotApplied: your word that the server has not applied the request. With `true`, a request is repeated
    ///     that isn't idempotent.
    ///   - changing: changes the header fields, without those of the authorization.
    case retry(after: TimeInterval? = nil, wasNotApplied: Bool = false, changing: Change? = nil)
  }

  /// The wait before an attempt: a random part of a ceiling that grows with each failure ("full jitter"). Clients that
  /// failed together don't come back together.
  public struct Backoff: Hashable, Sendable {
    /// The ceiling before the first retry, in seconds.
    public var base: TimeInterval
    /// The factor by which the ceiling grows for each further retry.
    public var factor: Double
    /// The highest ceiling, in seconds.
    public var limit: TimeInterval

    /// Creates a backoff. Times are in seconds. A negative time and a base that isn't finite count as 0. An infinite
    /// limit is none. A factor that isn't finite or is below 1 counts as 1. Each parameter sets the property of the
    /// same name.
    public init(base: TimeInterval = 0.5, factor: Double = 2, limit: TimeInterval = 20) {
      self.base = base
      self.factor = factor
      self.limit = limit
    }

    /// The longest wait before the retry of this number, in seconds; the first is 1.
    package func ceiling(retry: Int) -> TimeInterval {
      let base = base.isFinite ? max(0, base) : 0
      // 0 for a limit that isn't a number.
      let limit = max(0, min(limit, TransportRequest.Timeouts.longest))
      let factor = factor.isFinite ? max(1, factor) : 1
      // A power that overflows is infinity, and 0 times infinity isn't a number.
      return min(limit, base * min(pow(factor, Double(max(0, retry - 1))), .greatestFiniteMagnitude))
    }

    /// The wait before the retry of this number, in seconds: anywhere from 0 to the ceiling.
    package func delay(retry: Int, random: RandomSource) -> TimeInterval { ceiling(retry: retry) * random.unit }
  }

  /// Limits the retries that all requests of a service make together. Set it as the configuration's `retryBudget`. Any
  /// thread may use it.
  ///
  /// Each request that may be retried and succeeds earns a part of a retry, and each retry costs a whole one. A
  /// response of a cache earns nothing. While a server is down, no request earns a retry: an outage costs the server
  /// the saved retries and no more, however long it lasts.
  public final class Budget: Sendable {
    private let ratio: Double
    private let burst: Double
    /// Guards the retries that are left.
    private let balance: Locked<Double>

    /// Allows every retry.
    public static let unlimited = RetryPolicy.Budget(burst: .infinity)

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: the retries that a success earns, from 0 to 1.
    ///   - burst: the retries that the budget begins with, and saves up at most. Use at least the retry policy's
    ///     attempts less one, so that a failing request can make all attempts. A negative number counts as 0.
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

  /// A source of random numbers, which a test can replace.
  public struct RandomSource: Sendable {
    private let next: @Sendable () -> Double

    /// Creates a source.
    ///
    /// - Parameter next: gives the next number, at least 0 and below 1. Any thread calls it, the transport's included,
    ///   so it must not block.
    public init(_ next: @escaping @Sendable () -> Double) { self.next = next }

    /// The system's generator.
    public static let system = RandomSource { Double.random(in: 0..<1) }

    /// A number from 0 to 1. A value of the source outside these limits becomes 0.5.
    package var unit: Double {
      let number = next()
      return number >= 0 && number <= 1 ? number : 0.5
    }
  }

  /// Decides whether another attempt follows, and after which delay.
  ///
  /// `Retry-After` is a lower bound. The policy adds a random delay of up to a tenth of `Retry-After`, or of up to the
  /// backoff's ceiling if that is longer. Clients with the same `Retry-After` therefore don't come back at the same
  /// moment.
  ///
  /// - Parameters:
  ///   - result: the end of the attempt.
  ///   - attempt: its number; the first is 1.
  ///   - request: the request of the attempt.
  ///   - now: the time of day. It stands for the server's time if the response has no `Date`.
  ///   - random: the source of the delay.
  /// - Returns: the delay in seconds, and the rule's change of the header fields; `nil` if the outcome is the last one.
  package func retry(
    after result: Result<WebServiceResponse, TransportError>, attempt: Int, of request: TransportRequest, now: Date,
    random: RandomSource
  ) -> (delay: TimeInterval, change: Decision.Change?)? {
    // A body that can be read only once may have been read in part, even if nothing was sent.
    guard attempt < attemptLimit, request.body.isReplayable else { return nil }
    let isCovered: Bool
    // Whether the request may be sent once more. No method is unsafe to repeat if the server has seen nothing.
    var mayRepeat = request.isIdempotent
    switch result {
    case .success(let response): isCovered = statusCodes.contains(response.statusCode)
    case .failure(let error):
      guard ![.cancelled, .invalidated].contains(error.kind) else { return nil }
      isCovered = transportFailures.contains(error.kind)
      mayRepeat = mayRepeat || !error.mayHaveReachedServer
    }
    var change: Decision.Change?
    switch rule?(result, attempt) {
    case .stop: return nil
    case .retry(let wait, let wasNotApplied, let changing):
      guard wasNotApplied || mayRepeat else { return nil }
      if let wait { return wait <= retryAfterLimit ? (max(0, wait), changing) : nil }
      change = changing
    case nil: guard mayRepeat, isCovered else { return nil }
    }
    guard let demanded = result.serverResponse?.headers.retryAfter(now: now) else {
      // The retry after attempt n has the number n.
      return (backoff.delay(retry: attempt, random: random), change)
    }
    // A shorter wait than the server demands would ignore the server.
    guard demanded <= retryAfterLimit else { return nil }
    return (demanded + max(backoff.ceiling(retry: attempt), demanded / 10) * random.unit, change)
  }
}

/// Another attempt that the judge has granted.
struct Retry: Sendable {
  /// The seconds before that attempt. `nil` begins it at once with a new connection, because the server had closed the
  /// reused one.
  let delay: TimeInterval?
  let cause: RequestEvent.RetryCause
  /// The failure of the attempt before this one.
  let failure: WebServiceError
  /// The request of that attempt, if the retry policy's rule has changed its header fields.
  var request: TransportRequest?
  /// Whether the redirects are followed once more. The URL that they led to may be good for some minutes only.
  var startsOver = false
}
