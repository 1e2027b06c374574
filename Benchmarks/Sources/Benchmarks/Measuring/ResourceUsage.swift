import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The resources that this process has used since its start.
struct ResourceUsage {
  var seconds: Double
  var processorSeconds: Double
  var contextSwitches: Int

  static var now: ResourceUsage {
    var usage = rusage()
    getrusage(wholeProcess, &usage)
    return ResourceUsage(
      seconds: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      contextSwitches: Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw))
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
      contextSwitches: later.contextSwitches - earlier.contextSwitches)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
