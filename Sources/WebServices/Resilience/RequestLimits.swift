public import Foundation

/// What keeps requests to one host waiting before they are sent.
public struct RequestLimits: Hashable, Sendable {
  /// How many requests to one host are under way at once; `nil` for any number, below 1 counts as 1.
  public var maximumConcurrentRequestsPerHost: Int?
  /// How many go out to one host per second; `nil` for any number.
  public var rate: RateLimit?
  /// The longest time, in seconds, that requests wait because the server has said that there is none left for now
  /// (`ServerRateLimit`) or when to come back. 0 pays it no attention.
  public var longestServerWait: TimeInterval
  /// How much longer a request waits than one of the next higher priority that came at the same time, in seconds. One
  /// that has waited so much longer goes first.
  public var aging: TimeInterval

  /// There are none.
  public static let none = RequestLimits(longestServerWait: 0)

  /// Creates limits.
  public init(
    maximumConcurrentRequestsPerHost: Int? = nil, rate: RateLimit? = nil, longestServerWait: TimeInterval = 60,
    aging: TimeInterval = 5
  ) {
    self.maximumConcurrentRequestsPerHost = maximumConcurrentRequestsPerHost
    self.rate = rate
    self.longestServerWait = longestServerWait
    self.aging = aging
  }

  /// Whether any request could ever have to wait.
  package var isLimiting: Bool {
    maximumConcurrentRequestsPerHost != nil || rate != nil || longestServerWait > 0
  }
}
