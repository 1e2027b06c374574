import Dispatch
import Foundation

/// Ends the measuring process if a contender hangs. Call `start(for:)` before measuring.
enum Watchdog {
  /// The exit status of a process that the watchdog ended (EX_TEMPFAIL).
  static let exitStatus: Int32 = 75

  static func start(for measuring: Measuring) {
    let seconds =
      switch measuring.workload.subject {
      case .speed: 60 + measuring.seconds * 5
      case .growth: 60 + Double(measuring.requests) / 200
      case .outstanding: 120.0
      }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { exit(exitStatus) }
  }
}
