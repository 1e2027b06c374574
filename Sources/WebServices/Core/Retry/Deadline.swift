package import Foundation

/// The moment on a clock when a request has to be over, with all its attempts, redirects, renewals and waits. Ask
/// `allows(waiting:at:)` before a wait.
package struct Deadline: Hashable, Sendable {
  /// The clock's time then, in seconds; infinity for never.
  let moment: TimeInterval

  package static let never = Deadline(moment: .infinity)

  private init(moment: TimeInterval) {
    self.moment = moment
  }

  /// Creates a deadline this many seconds from now. `nil` and NaN mean no deadline, and a negative number means now.
  package init(after seconds: TimeInterval?, now: TimeInterval) {
    guard let seconds, !seconds.isNaN else {
      self = .never
      return
    }
    moment = now + max(0, seconds)
  }

  /// The seconds that are left; 0 once it has passed, infinity without a deadline.
  package func remaining(at now: TimeInterval) -> TimeInterval { max(0, moment - now) }

  /// Whether a retry after such a wait would begin in time.
  package func allows(waiting seconds: TimeInterval, at now: TimeInterval) -> Bool { now + seconds < moment }
}
