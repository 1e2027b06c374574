public import Foundation

extension RequestMetrics.Snapshot {
  /// A histogram of durations, which takes 3.5 KB for any number of them. Call ``duration(atPercentile:)``.
  ///
  /// Each power of two has 32 buckets of equal width, as in HdrHistogram. A percentile is off by at most 1.6%, from a
  /// microsecond to 71 minutes. A longer duration counts as 71 minutes.
  public struct Latencies: Hashable, Sendable {
    /// The buckets of each power of two.
    private static let subBuckets = 32
    private static let subBucketBits = 5
    /// Durations of 32 bits: the values below 32 have buckets of their own, and 27 powers of two follow.
    private static let bucketCount = 28 * subBuckets
    /// The longest duration with a bucket, in microseconds. Longer ones count as this.
    private static let longest: UInt64 = (1 << 32) - 1

    private var counts: [UInt32]
    /// How many durations were counted.
    public private(set) var count: UInt64
    /// The sum of all durations, in seconds.
    private var sum: TimeInterval
    private var least: UInt64
    private var greatest: UInt64

    /// Creates an empty histogram.
    public init() {
      counts = Array(repeating: 0, count: Self.bucketCount)
      count = 0
      sum = 0
      least = .max
      greatest = 0
    }

    /// The shortest duration in seconds; `nil` without durations.
    public var minimum: TimeInterval? { count == 0 ? nil : TimeInterval(least) / 1e6 }
    /// The longest duration in seconds; `nil` without durations.
    public var maximum: TimeInterval? { count == 0 ? nil : TimeInterval(greatest) / 1e6 }
    /// The mean duration in seconds; `nil` without durations.
    public var mean: TimeInterval? { count == 0 ? nil : sum / TimeInterval(count) }

    /// Counts a duration in seconds. A negative duration counts as 0, and NaN isn't counted.
    package mutating func record(_ seconds: TimeInterval) {
      guard !seconds.isNaN else { return }
      let clamped = min(max(seconds, 0) * 1e6, TimeInterval(Self.longest))
      let value = UInt64(clamped.rounded())
      let index = Self.index(of: value)
      // A full bucket keeps its count, because overflow would trap.
      if counts[index] < .max { counts[index] += 1 }
      count += 1
      sum += clamped / 1e6
      least = min(least, value)
      greatest = max(greatest, value)
    }

    /// The duration in seconds that this percentage of all durations doesn't exceed; `nil` without durations.
    ///
    /// - Parameter percentile: 0...100. Values outside are clamped.
    public func duration(atPercentile percentile: Double) -> TimeInterval? {
      guard count > 0, !percentile.isNaN else { return nil }
      // Not `count`, which also counts durations of full buckets.
      let total = counts.reduce(into: UInt64(0)) { $0 += UInt64($1) }
      let rank = max(1, UInt64((min(max(percentile, 0), 100) / 100 * Double(total)).rounded(.up)))
      if rank == 1 { return minimum }
      if rank >= total { return maximum }
      var seen: UInt64 = 0
      for (index, number) in counts.enumerated() where number > 0 {
        seen += UInt64(number)
        if seen >= rank { return TimeInterval(min(max(Self.middle(of: index), least), greatest)) / 1e6 }
      }
      return maximum
    }

    /// Adds what another histogram counted.
    public mutating func merge(_ other: Latencies) {
      for index in counts.indices {
        counts[index] =
          counts[index].addingReportingOverflow(other.counts[index]).overflow
          ? .max : counts[index] + other.counts[index]
      }
      count &+= other.count
      sum += other.sum
      least = min(least, other.least)
      greatest = max(greatest, other.greatest)
    }

    /// The bucket of a duration in microseconds: its power of two, and the five bits after the highest one.
    private static func index(of value: UInt64) -> Int {
      guard value >= UInt64(subBuckets) else { return Int(value) }
      let exponent = 63 - value.leadingZeroBitCount - subBucketBits
      return (exponent + 1) * subBuckets + Int(value >> UInt64(exponent)) - subBuckets
    }

    /// The duration in the middle of a bucket, in microseconds.
    private static func middle(of index: Int) -> UInt64 {
      guard index >= subBuckets else { return UInt64(index) }
      let exponent = UInt64(index / subBuckets - 1)
      let lower = UInt64(index % subBuckets + subBuckets) << exponent
      return lower + (1 << exponent) / 2
    }
  }
}
