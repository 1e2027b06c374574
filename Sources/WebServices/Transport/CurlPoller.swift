#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The descriptors that a session's thread sleeps on. Any thread may call `wake`, which ends the sleep.
  ///
  /// Nothing here needs a lock, because the descriptors never change. They are closed with the last reference, so that a
  /// late `wake` can't write to a file that has got the same number.
  final class CurlPoller: Sendable {
    /// The most descriptors that one call of `wait` returns.
    static let batch = 64

    /// The poller's own descriptor.
    let descriptor: Int32
    private let event: Int32

    init?() {
      event = curlShimEventMake()
      descriptor = curlShimPollerMake(event)
      guard descriptor >= 0 else { return nil }
    }

    /// Waits until a descriptor is ready, `wake` is called, or the time has come.
    ///
    /// - Parameters:
    ///   - ready: has `batch` entries.
    ///   - deadline: in nanoseconds of `CurlLoop.readClock()`; 0 doesn't wait, and `.max` waits without end.
    /// - Returns: the number of entries that were filled; possibly 0.
    func wait(_ ready: inout [CurlShimReady], until deadline: UInt64) -> Int {
      var milliseconds: Int32 = deadline == 0 ? 0 : -1
      if deadline != 0, deadline != .max {
        let now = CurlLoop.readClock()
        // Rounded up: a thread that wakes too early would find nothing to do until the time has come.
        milliseconds = deadline > now ? Int32(clamping: (deadline - now + 999_999) / 1_000_000) : 0
      }
      return Int(curlShimPollerWait(descriptor, &ready, Int32(ready.count), milliseconds))
    }

    func wake() {
      curlShimEventSignal(event)
    }

    deinit {
      for descriptor in [descriptor, event] where descriptor >= 0 { _ = close(descriptor) }
    }
  }
#endif
