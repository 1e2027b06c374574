package import Foundation

/// The time since the machine started, including its sleep, because a token also expires while a laptop is closed.
package enum MonotonicTime {
  package static var seconds: TimeInterval {
    var time = timespec()
    clock_gettime(Platform.clockWithSleep, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }
}
