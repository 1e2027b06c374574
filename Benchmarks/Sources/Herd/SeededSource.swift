import Foundation
import WebServices

/// A source of random numbers that repeats its sequence in every run.
final class SeededSource: @unchecked Sendable {
  // `lock` guards `state`.
  private let lock = NSLock()
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The source in the form that a retry policy needs.
  var source: RetryPolicy.RandomSource { RetryPolicy.RandomSource { self.next() } }

  func next() -> Double {
    lock.lock()
    defer { lock.unlock() }
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }

  /// The delay until the next random event, for this many events per second on average.
  func gap(rate: Double) -> Double { -log(1 - next()) / rate }
}
