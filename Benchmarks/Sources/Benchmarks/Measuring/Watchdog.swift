import BenchmarkReport
import Dispatch
import Foundation

/// Ends the process of a contender that hangs.
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
