import Foundation

/// Makes of what a service or a storage says about an expiry seconds that can be counted with.
enum TokenLifetime {
  /// Nothing is believed to last longer than ten years.
  static let longest: TimeInterval = 10 * 365 * 86_400

  /// The seconds, no fewer than 0 and no more than `longest`; 0 where it is no number.
  static func clamped(_ seconds: TimeInterval) -> TimeInterval {
    seconds > 0 ? min(seconds, longest) : 0
  }

  /// How long a stored token is valid yet, by a wall clock that may have been set since. It is never believed to last
  /// longer than it did when it was saved.
  static func remaining(of token: StoredToken, now: Date) -> TimeInterval {
    let sinceNow = token.expiresAt.timeIntervalSince(now)
    guard let savedAt = token.savedAt else { return clamped(sinceNow) }
    return min(clamped(sinceNow), clamped(token.expiresAt.timeIntervalSince(savedAt)))
  }
}
