import BenchmarkReport
import Dispatch
import Foundation

/// Ends the measuring process if a contender hangs. Call `start(for:)` before measuring.
enum Watchdog {
  /// The exit status of a process that the watchdog ended (EX_TEMPFAIL).
  static let exitStatus: Int32 = 75

  static func start(for options: MeasureOptions) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds(for: options)) {
      exit(exitStatus)
    }
  }

  private static func seconds(for options: MeasureOptions) -> Double {
    switch options.workload.subject {
    case .speed: 60 + options.secondsPerMeasurement * 5
    case .growth: 60 + Double(options.requests) / 200
    case .outstanding: 120
    }
  }
}
