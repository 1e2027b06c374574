import Foundation

/// Counts successes and failures of the last seconds, in ten parts of the time. Older results are forgotten a tenth at
/// a time, so that no result needs a time of its own.
struct FailureWindow: Sendable, Equatable {
  /// The results of one tenth of the window.
  private struct Part: Sendable, Equatable {
    /// The number of the tenth, counted from the clock's zero. A part whose number is too old is used again.
    var number: Int64 = .min
    var successes = 0
    var failures = 0
  }

  private static let partCount: Int64 = 10
  private let partLength: TimeInterval
  private var parts = [Part](repeating: Part(), count: Int(partCount))

  /// - Parameter length: in seconds, above 0.
  init(length: TimeInterval) {
    partLength = length / TimeInterval(Self.partCount)
  }

  mutating func count(failure: Bool, now: TimeInterval) {
    let number = number(now)
    // A clock may show a time below zero, and `%` is negative then.
    let index = Int(((number % Self.partCount) + Self.partCount) % Self.partCount)
    if parts[index].number != number { parts[index] = Part(number: number) }
    if failure {
      parts[index].failures += 1
    } else {
      parts[index].successes += 1
    }
  }

  /// The counts within the window.
  func totals(now: TimeInterval) -> (successes: Int, failures: Int) {
    let oldest = number(now) - Self.partCount + 1
    var totals = (successes: 0, failures: 0)
    for part in parts where part.number >= oldest {
      totals.successes += part.successes
      totals.failures += part.failures
    }
    return totals
  }

  mutating func clear() {
    for index in parts.indices { parts[index] = Part() }
  }

  private func number(_ now: TimeInterval) -> Int64 {
    // `Int64` would trap on a clock beyond the bounds.
    Int64(min(max(-4e18, (now / partLength).rounded(.down)), 4e18))
  }
}
