import Foundation

/// Where Foundation's events arrive: one after the other, on a thread that is always to be had. Those of the global
/// queues are few; were they blocked, a fast answer would pile up in memory, and nothing could end it.
///
/// It has no state but a queue that never changes.
final class FoundationQueue: OperationQueue, @unchecked Sendable {
  // The base class doesn't keep it.
  private let events = DispatchQueue(label: "FoundationSession.events")

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
    underlyingQueue = events
  }
}
