package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The time since the machine started, including its sleep, because a token also expires while a laptop is closed.
package enum MonotonicTime {
  package static var seconds: TimeInterval {
    var time = timespec()
    // On Darwin CLOCK_MONOTONIC includes sleep. On Linux only CLOCK_BOOTTIME does.
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }
}
