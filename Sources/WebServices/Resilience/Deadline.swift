import Foundation

/// A moment on a clock by which a request has to be over, all its attempts, redirects, renewals and waits included.
struct Deadline: Hashable, Sendable {
  /// The time of the clock at the deadline, in seconds; infinity for never.
  let moment: TimeInterval

  /// There is none.
  static let never = Deadline(moment: .infinity)

  private init(moment: TimeInterval) {
    self.moment = moment
  }

  /// So many seconds from now; `nil` and NaN stand for never, what is negative for now.
  init(after seconds: TimeInterval?, now: TimeInterval) {
    guard let seconds, !seconds.isNaN else {
      self = .never
      return
    }
    moment = now + max(0, seconds)
  }

  /// The seconds that are left; 0 once it has passed, infinity where there is none.
  func remaining(at now: TimeInterval) -> TimeInterval { max(0, moment - now) }

  /// Whether anything can still be done after such a wait: a retry that would begin too late isn't waited for.
  func allows(waiting seconds: TimeInterval, at now: TimeInterval) -> Bool { now + seconds < moment }
}
