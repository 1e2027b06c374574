import Foundation
import WebServicesCore

/// Runs handlers: all at the same time, each on a serial queue of its own, because a handler may block.
///
/// A serial queue gets a thread even when waiting tests block all threads of the concurrent queues. On Linux the work
/// of a concurrent queue would then wait for a second.
final class HandlerQueues: Sendable {
  /// The queues without a handler. The lock guards the list, and handlers run without it.
  private let idle = Locked<[DispatchQueue]>([])

  func run(_ work: @escaping @Sendable () -> Void) {
    let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: "LoopbackServer.handlers")
    queue.async { [idle] in
      work()
      idle.withLock { $0.append(queue) }
    }
  }
}
