import Foundation

/// Says how long it is until the next renewal may be sent, so that failures don't cause renewals at a high rate.
///
/// The pause is 1 s after a failure, then 2, 4 and so on up to 60, until a renewal succeeds. A renewal that replaces a
/// refused token starts a second pause of the same lengths. During this pause another refusal causes no renewal,
/// because yet another token wouldn't help.
struct RenewalPace: Sendable {
  static let shortestPause: TimeInterval = 1
  static let longestPause: TimeInterval = 60

  private var failureCount = 0
  /// The reason of the last failure; `nil` after a success.
  private(set) var lastFailure: (any Error)?
  private var pausedUntil = -TimeInterval.infinity
  private var refusalCount = 0
  private var refusalsPausedUntil = -TimeInterval.infinity

  /// The reason why no renewal may be sent now; `nil` when one may.
  func failure(now: TimeInterval) -> (any Error)? { now < pausedUntil ? lastFailure : nil }

  /// Whether a refused token is so new that another one wouldn't help.
  func isTooSoonAfterRefusal(now: TimeInterval) -> Bool { now < refusalsPausedUntil }

  mutating func failed(with error: any Error, now: TimeInterval) {
    failureCount += 1
    lastFailure = error
    pausedUntil = now + Self.pause(after: failureCount)
  }

  /// Ends the pause after failures. If the new token replaces a refused token, begins the pause after refusals.
  mutating func succeeded(afterRefusal: Bool, now: TimeInterval) {
    failureCount = 0
    lastFailure = nil
    pausedUntil = -.infinity
    guard afterRefusal else { return }
    // Refusals in quick succession count as one row. After a quiet minute the count begins again.
    refusalCount = now < refusalsPausedUntil + Self.longestPause ? refusalCount + 1 : 1
    refusalsPausedUntil = now + Self.pause(after: refusalCount)
  }

  /// The pause in seconds after this many failures in a row.
  static func pause(after count: Int) -> TimeInterval {
    min(longestPause, shortestPause * pow(2, TimeInterval(max(1, count)) - 1))
  }
}
