import Dispatch
import Synchronization

/// Limits a measurement by time or by number of requests.
final class Quota: Sendable {
  private let deadline: UInt64
  private let remaining: Atomic<Int>

  /// Allows requests until the time has passed.
  init(seconds: Double) {
    deadline = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    remaining = Atomic(.max)
  }

  /// Allows this many requests.
  init(requests: Int) {
    deadline = .max
    remaining = Atomic(requests)
  }

  /// - Returns: whether one more request may be sent.
  func reserveRequest() -> Bool {
    if deadline < .max { return DispatchTime.now().uptimeNanoseconds < deadline }
    return remaining.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
  }
}
