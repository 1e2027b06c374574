import Dispatch
import Foundation

/// Recognizes the main queue. On Linux, `DispatchQueue.main` is another object each time, and `dispatchMain()` runs the
/// queue on other threads than the main thread.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()

  static func `is`(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark) != nil }

  /// Whether this code runs on the main queue, or on the main thread before the queue has started.
  private static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs an action on the main queue. Any other thread waits for the main queue.
  static func wait<Value>(_ action: () throws -> Value) rethrows -> Value {
    try isCurrent ? action() : DispatchQueue.main.sync(execute: action)
  }
}

extension DispatchQueue {
  /// Reads the response, and passes the result to `end` on this queue, which the caller chose for the completion.
  ///
  /// The response is read on this queue too. The main queue isn't blocked by decoding, unless a model of the main actor
  /// needs it. A hop between queues costs some microseconds, so there is at most one unless the main queue needs two.
  func deliver<Output: Sendable>(
    readingOnMainActor: Bool, _ read: @escaping @Sendable () -> Output, to end: @escaping @Sendable (Output) -> Void
  ) {
    let isMain = MainQueue.is(self)
    let queue = readingOnMainActor ? .main : isMain ? .global(qos: .userInitiated) : self
    // Most completions need one hop, and their closure doesn't retain the queue, whose references all threads count.
    guard readingOnMainActor != isMain else { return queue.enqueue { end(read()) } }
    queue.enqueue {
      let output = read()
      self.enqueue { end(output) }
    }
  }
}
