public import Foundation

/// The limits of the layer `.limits(_:)`. Requests above a limit wait before they are sent.
///
/// The article <doc:KeepingWorking> has samples.
public struct RequestLimits: Hashable, Sendable {
  /// Limits how many requests a host is sent per second.
  public struct Rate: Hashable, Sendable {
    /// The rate in the long run, kept within 0.001 and 1,000,000.
    public var requestsPerSecond: Double
    /// The most requests that may be sent at once after a pause, at least 1.
    public var burst: Int

    /// Creates a limit. Each parameter sets the property of the same name.
    public init(requestsPerSecond: Double, burst: Int = 1) {
      self.requestsPerSecond = requestsPerSecond
      self.burst = burst
    }
  }

  /// The most requests to one host that are in flight at once. `nil` means any number, and a number below 1 counts as
  /// 1. A stream is in flight until its end, and others may wait for it without end. Set
  /// ``RequestOptions/bypassesLimits`` for a stream that stays open.
  public var concurrentRequestsPerHost: Int?
  /// The most requests that are sent to one host per second; `nil` for any number.
  public var rate: Rate?
  /// The longest time, in seconds, that requests wait after a 429 or 503 with `Retry-After`. With 0 they don't wait for
  /// the server.
  public var serverWaitLimit: TimeInterval

  /// Creates limits. Each parameter sets the property of the same name.
  public init(concurrentRequestsPerHost: Int? = nil, rate: Rate? = nil, serverWaitLimit: TimeInterval = 60) {
    self.concurrentRequestsPerHost = concurrentRequestsPerHost
    self.rate = rate
    self.serverWaitLimit = serverWaitLimit
  }
}
