public import Foundation

/// The limits of the layer `.limits(_:)`. Requests above a limit wait before they are sent.
///
/// The article <doc:KeepingWorking> has samples.
public struct RequestLimits: Hashable, Sendable {
  /// The most requests to one host that are in flight at once. `nil` means any number, and a number below 1 counts as
  /// 1.
  public var maximumConcurrentRequestsPerHost: Int?
  /// The most requests that are sent to one host per second; `nil` for any number.
  public var rate: RateLimit?
  /// The longest time, in seconds, that requests wait after a 429 or 503 with `Retry-After`. With 0 they don't wait for
  /// the server.
  public var longestServerWait: TimeInterval

  /// Creates limits. Each parameter sets the property of the same name.
  public init(
    maximumConcurrentRequestsPerHost: Int? = nil, rate: RateLimit? = nil, longestServerWait: TimeInterval = 60
  ) {
    self.maximumConcurrentRequestsPerHost = maximumConcurrentRequestsPerHost
    self.rate = rate
    self.longestServerWait = longestServerWait
  }
}
