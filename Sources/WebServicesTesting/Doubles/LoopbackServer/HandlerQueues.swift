import Foundation
import WebServicesCore

/// Runs handlers: several at the same time, each on a serial queue.
///
/// A serial queue gets a thread even when waiting tests block all threads of the concurrent queues. On Linux the work
/// of a concurrent queue would then wait for a second.
final class HandlerQueues: Sendable {
  private struct Entry {
    let queue = DispatchQueue(label: "LoopbackServer.handlers")
    /// The number of handlers that run or wait on the queue.
    var pending = 0
  }

  /// The most queues, and so the most handlers that run at the same time.
  private static let limit = 16
  /// Guards the list of queues. Handlers run without the lock.
  private let entries = Locked<[Entry]>([])

  /// Runs a handler on the queue with the fewest handlers.
  func run(_ work: @escaping @Sendable () -> Void) {
    let (index, queue) = entries.withLock { entries in
      let index = Self.leastBusy(&entries)
      entries[index].pending += 1
      return (index, entries[index].queue)
    }
    queue.async {
      work()
      self.entries.withLock { $0[index].pending -= 1 }
    }
  }

  private static func leastBusy(_ entries: inout [Entry]) -> Int {
    if let idle = entries.firstIndex(where: { $0.pending == 0 }) { return idle }
    guard entries.count >= limit else {
      entries.append(Entry())
      return entries.count - 1
    }
    return entries.indices.min { entries[$0].pending < entries[$1].pending } ?? 0
  }
}
