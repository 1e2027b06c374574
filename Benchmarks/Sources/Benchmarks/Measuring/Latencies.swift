import Foundation

/// A histogram of latencies. `add` a latency, and ask for the time `within` which a share of the requests ended. Each
/// bucket is a twentieth longer than the one before, so that any number of requests fits into a few hundred bytes.
struct Latencies: Hashable, Sendable {
  private static let shortest = 1e-6
  private static let growth = log(1.05)
  private var counts: [UInt32] = []

  mutating func add(_ seconds: Double) {
    let index = max(0, Int(log(max(seconds, Self.shortest) / Self.shortest) / Self.growth))
    if index >= counts.count { counts += Array(repeating: 0, count: index + 1 - counts.count) }
    counts[index] += 1
  }

  mutating func add(_ other: Latencies) {
    if other.counts.count > counts.count {
      counts += Array(repeating: 0, count: other.counts.count - counts.count)
    }
    for (index, count) in other.counts.enumerated() { counts[index] += count }
  }

  /// The time in seconds within which this share of the requests ended, to a twentieth; `nil` without requests.
  func within(share: Double) -> Double? {
    var left = Double(counts.reduce(0) { $0 + UInt64($1) }) * share
    for (index, count) in counts.enumerated() where count > 0 {
      left -= Double(count)
      if left <= 0 { return Self.shortest * exp(Double(index + 1) * Self.growth) }
    }
    return nil
  }
}
