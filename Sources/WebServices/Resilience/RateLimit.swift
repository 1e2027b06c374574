/// How many requests a host is sent per second.
public struct RateLimit: Hashable, Sendable {
  /// The rate in the long run, kept within 0.001 and 1,000,000.
  public var requestsPerSecond: Double
  /// How many may go out at once after a pause, at least 1.
  public var burst: Int

  /// Creates a limit.
  public init(requestsPerSecond: Double, burst: Int = 1) {
    self.requestsPerSecond = requestsPerSecond
    self.burst = burst
  }
}
