public import Foundation

/// The thresholds of the layer `.circuitBreaker(_:)`: how often a host has to fail before it gets no requests, and for
/// how long.
///
/// The article <doc:KeepingWorking> has samples.
public struct CircuitBreakerPolicy: Hashable, Sendable {
  /// The share of failures that opens the circuit, above 0 and up to 1.
  public var failureRatio: Double
  /// The fewest results for which the share counts, at least 1. With no minimum, a first failure would be a share of 1.
  public var minimumVolume: Int
  /// The length of the time in which results are counted, in seconds. Then the count begins anew.
  public var window: TimeInterval
  /// The seconds for which an open circuit admits no request. Up to half of this time is added at random, so that the
  /// clients of one server don't all probe the server at the same moment. Then one request probes the host: the circuit
  /// closes when it succeeds, and opens again when it fails.
  public var openDuration: TimeInterval

  /// Opens for 5 to 7.5 seconds when half of at least 10 results in 10 seconds were failures.
  public static let standard = CircuitBreakerPolicy()

  /// Creates a policy. Each parameter sets the property of the same name. A number outside its range is replaced by the
  /// nearest in it.
  public init(
    failureRatio: Double = 0.5, minimumVolume: Int = 10, window: TimeInterval = 10, openDuration: TimeInterval = 5
  ) {
    self.failureRatio = failureRatio
    self.minimumVolume = minimumVolume
    self.window = window
    self.openDuration = openDuration
  }

  /// A copy with every number within its range.
  var normalized: CircuitBreakerPolicy {
    // NaN becomes the lower bound.
    CircuitBreakerPolicy(
      failureRatio: min(max(1e-6, failureRatio), 1), minimumVolume: max(1, minimumVolume),
      window: min(max(0.001, window), 86_400), openDuration: min(max(0.001, openDuration), 86_400))
  }

  /// A request wasn't sent because its host kept failing.
  public struct OpenError: DescribedByLibrary, Hashable, Sendable {
    /// The host, with its port when that isn't the scheme's own.
    public var host: String
    /// When the host will be probed again, in seconds from when the error was made. While the host is probed, requests
    /// may be sent sooner.
    public var retryAfter: TimeInterval

    /// Creates an error. Each parameter sets the property of the same name.
    public init(host: String, retryAfter: TimeInterval) {
      self.host = host
      self.retryAfter = retryAfter
    }

    /// The host, and how long it is sent nothing.
    public var description: String {
      guard retryAfter > 0 else { return "\(host) keeps failing, and the next request probes it" }
      let seconds = String(format: "%.1f", retryAfter)
      return "\(host) keeps failing, so no request is sent to it for another \(seconds) s"
    }
  }
}
