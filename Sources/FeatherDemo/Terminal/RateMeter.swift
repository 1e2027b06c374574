import Foundation

/// How fast bytes come, smoothed: a pause or a burst moves the figure, but doesn't make it jump.
struct RateMeter: Equatable, Sendable {
  /// After so many seconds, about two thirds of the figure are of what happened since.
  static let smoothing: TimeInterval = 2

  private let start: TimeInterval
  private var last: (time: TimeInterval, bytes: Int64)
  /// Bytes per second; `nil` before anything was measured.
  private(set) var rate: Double?

  init(start: TimeInterval) {
    self.start = start
    last = (start, 0)
  }

  /// Takes the number of bytes that have come in all.
  mutating func update(bytes: Int64, at time: TimeInterval) {
    let elapsed = time - last.time
    // A resumed transfer counts from its own beginning.
    guard elapsed > 0.02 else { return }
    let current = Double(max(0, bytes &- last.bytes)) / elapsed
    // Until there is a past, the mean of all is the better guess.
    let weight = 1 - exp(-elapsed / min(Self.smoothing, max(elapsed, time - start)))
    rate = rate.map { $0 + (current - $0) * weight } ?? current
    last = (time, bytes)
  }

  static func == (left: RateMeter, right: RateMeter) -> Bool {
    left.start == right.start && left.last == right.last && left.rate == right.rate
  }
}
