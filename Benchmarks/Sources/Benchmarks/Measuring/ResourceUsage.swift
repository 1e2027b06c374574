import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The resources that this process has used since its start, and the time of the machine's processors.
struct ResourceUsage {
  var seconds: Double
  var processorSeconds: Double
  var contextSwitches: Int
  /// The processors' time since the machine's start; `nil` if the system doesn't tell.
  var machine: ProcessorTimes?

  static var now: ResourceUsage {
    var usage = rusage()
    getrusage(wholeProcess, &usage)
    return ResourceUsage(
      seconds: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      contextSwitches: Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw), machine: machine)
  }

  // The constant is an `Int32` on one system and an enumeration case on the other.
  #if canImport(Glibc)
    private static let wholeProcess = RUSAGE_SELF.rawValue
  #else
    private static let wholeProcess = RUSAGE_SELF
  #endif

  static func - (later: ResourceUsage, earlier: ResourceUsage) -> ResourceUsage {
    ResourceUsage(
      seconds: later.seconds - earlier.seconds,
      processorSeconds: later.processorSeconds - earlier.processorSeconds,
      contextSwitches: later.contextSwitches - earlier.contextSwitches,
      machine: later.machine.flatMap { later in earlier.machine.map { later - $0 } })
  }

  private static var machine: ProcessorTimes? {
    (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(ProcessorTimes.init(statistics:))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
