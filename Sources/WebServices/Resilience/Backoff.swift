public import Foundation

/// How long to wait before an attempt: a random part of a ceiling that grows with each failure ("full jitter"), so that
/// clients that failed together don't come back together.
public struct Backoff: Hashable, Sendable {
  /// The ceiling before the first retry, in seconds.
  public var base: TimeInterval
  /// What the ceiling is multiplied with for each further retry.
  public var factor: Double
  /// What the ceiling never exceeds, in seconds.
  public var longest: TimeInterval

  /// Creates a backoff. A number that isn't finite or is negative counts as 0, a factor below 1 as 1.
  public init(base: TimeInterval = 0.5, factor: Double = 2, longest: TimeInterval = 20) {
    self.base = base
    self.factor = factor
    self.longest = longest
  }

  /// The longest wait before the retry of this number, in seconds; the first is 1.
  public func ceiling(retry: Int) -> TimeInterval {
    let base = base.isFinite ? max(0, base) : 0
    let longest = longest.isFinite ? max(0, longest) : 0
    let factor = factor.isFinite ? max(1, factor) : 1
    guard base > 0 else { return 0 }
    // Infinity where it overflows, which the minimum takes care of.
    return min(longest, base * pow(factor, Double(max(0, retry - 1))))
  }

  /// The wait before the retry of this number, in seconds: anywhere from 0 to the ceiling.
  public func delay(retry: Int, random: any RandomSource) -> TimeInterval {
    ceiling(retry: retry) * random.unit
  }
}
