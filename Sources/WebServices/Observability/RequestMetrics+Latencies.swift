public import Foundation

extension RequestMetrics.Snapshot {
  /// A histogram of durations, which takes 4 KB for any number of them. Call ``duration(atPercentile:)``.
  ///
  /// Each power of two has 16 buckets. A percentile is off by at most 2.2%, from a microsecond to 71 minutes. A longer
  /// duration counts as 71 minutes.
  public struct Latencies: Hashable, Sendable {
    private static let bucketsPerPower = 16.0
    /// 2³² microseconds.
    private static let longest = 4294.967295

    private var counts = [UInt64](repeating: 0, count: 32 * 16 + 1)
    /// How many durations were counted.
    public private(set) var count: UInt64 = 0
    private var sum: TimeInterval = 0
    private var least = Self.longest
    private var greatest: TimeInterval = 0

    /// Creates an empty histogram.
    public init() {}

    /// The mean duration in seconds; `nil` without durations.
    public var mean: TimeInterval? { count == 0 ? nil : sum / TimeInterval(count) }

    /// Counts a duration in seconds. A negative duration counts as 0, and NaN isn't counted.
    package mutating func record(_ seconds: TimeInterval) {
      guard !seconds.isNaN else { return }
      let value = min(max(seconds, 0), Self.longest)
      counts[Int(log2(max(value * 1e6, 1)) * Self.bucketsPerPower)] += 1
      count += 1
      sum += value
      least = min(least, value)
      greatest = max(greatest, value)
    }

    /// The duration in seconds that this percentage of all durations doesn't exceed; `nil` without durations.
    ///
    /// - Parameter percentile: 0...100, where 0 gives the shortest duration and 100 the longest. Values outside are
    ///   clamped.
    public func duration(atPercentile percentile: Double) -> TimeInterval? {
      guard count > 0, !percentile.isNaN else { return nil }
      let rank = UInt64((min(max(percentile, 0), 100) / 100 * Double(count)).rounded(.up))
      if rank <= 1 { return least }
      if rank >= count { return greatest }
      var seen: UInt64 = 0
      let index = counts.firstIndex { number in
        seen += number
        return seen >= rank
      }
      let middle = exp2((Double(index ?? 0) + 0.5) / Self.bucketsPerPower) / 1e6
      return min(max(middle, least), greatest)
    }
  }
}
