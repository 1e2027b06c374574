import Foundation

/// Measures bytes per second as an exponential moving average, so that a pause or a burst doesn't make the figure jump.
struct RateMeter: Equatable, Sendable {
  /// The time constant in seconds: the latest two seconds make up about two thirds of the figure.
  static let smoothing: TimeInterval = 2

  private let start: TimeInterval
  private var last: (time: TimeInterval, bytes: Int64)
  /// The rate in bytes per second; `nil` before the first measurement.
  private(set) var rate: Double?

  init(start: TimeInterval) {
    self.start = start
    last = (start, 0)
  }

  /// Records the total number of bytes received so far.
  mutating func update(bytes: Int64, at time: TimeInterval) {
    let elapsed = time - last.time
    // Very short intervals would make the rate meaningless.
    guard elapsed > 0.02 else { return }
    let current = Double(max(0, bytes &- last.bytes)) / elapsed
    // The first samples have no past to be averaged with, so they weigh as much as the time since the start.
    let weight = 1 - exp(-elapsed / min(Self.smoothing, max(elapsed, time - start)))
    rate = rate.map { $0 + (current - $0) * weight } ?? current
    last = (time, bytes)
  }

  static func == (left: RateMeter, right: RateMeter) -> Bool {
    left.start == right.start && left.last == right.last && left.rate == right.rate
  }
}
