import Dispatch
import Synchronization

/// Tells the loops of a measurement whether to go on.
final class Quota: Sendable {
  private let deadline: UInt64
  private let remaining: Atomic<Int>

  /// As many requests as fit into the time.
  init(seconds: Double) {
    deadline = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    remaining = Atomic(.max)
  }

  /// So many requests.
  init(requests: Int) {
    deadline = .max
    remaining = Atomic(requests)
  }

  /// - Returns: whether one more request may be sent.
  func take() -> Bool {
    if deadline < .max { return DispatchTime.now().uptimeNanoseconds < deadline }
    return remaining.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
  }
}
