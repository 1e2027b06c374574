import Foundation

/// Recognizes the main queue. On Linux, `DispatchQueue.main` is another object each time, and `dispatchMain()` runs the
/// queue on other threads than the main thread.
package enum MainQueue {
  private static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()

  static func `is`(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark) != nil }

  /// Whether this code runs on the main queue, or on the main thread before the queue has started.
  private static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

  /// The form of work on the main actor that the main queue can run.
  package static func form<Value: Sendable>(
    of work: @escaping @MainActor (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    { value in MainActor.assumeIsolated { work(value) } }
  }

  /// Runs an action on the main queue. Any other thread waits for the main queue.
  static func wait<Value>(_ action: () throws -> Value) rethrows -> Value {
    try isCurrent ? action() : DispatchQueue.main.sync(execute: action)
  }
}

extension DispatchQueue {
  /// The queue on which a response is read whose completion runs on this queue, and the second hop to this queue; `nil`
  /// if the completion runs where the response is read.
  ///
  /// The main queue isn't blocked by decoding, unless a model of the main actor needs it. A hop between queues costs
  /// some microseconds, so there is one unless the main queue needs two.
  func hops(readingOnMainActor: Bool) -> (reading: DispatchQueue, completing: DispatchQueue?) {
    let isMain = MainQueue.is(self)
    // `nil` also because a closure that retains the queue would count its references, which all threads share.
    return (
      readingOnMainActor ? .main : isMain ? .global(qos: .userInitiated) : self,
      readingOnMainActor == isMain ? nil : self
    )
  }
}
