import Dispatch
import Foundation

/// The queue that the caller chose for the completion. The response is decoded on it too, unless it is the main queue.
/// A hop between queues costs some microseconds, so there is at most one unless the main queue needs two.
enum CallbackQueue: Sendable {
  /// Decodes on another queue, so that decoding doesn't block the main queue, and delivers on the main queue.
  case main
  /// Decodes and delivers on this queue.
  case queue(DispatchQueue)
  /// Decodes on the main queue, as a model of the main actor needs it, and delivers on this queue.
  case afterMain(DispatchQueue)

  init(_ queue: DispatchQueue, decodesOnMainActor: Bool) {
    self = decodesOnMainActor ? .afterMain(queue) : MainQueue.is(queue) ? .main : .queue(queue)
  }

  /// Reads the response, and passes the result to `end`.
  func deliver<Output: Sendable>(
    _ read: @escaping @Sendable () -> Output, to end: @escaping @Sendable (Output) -> Void
  ) {
    switch self {
    case .main:
      DispatchQueue.global(qos: .userInitiated).enqueue {
        let output = read()
        DispatchQueue.main.enqueue { end(output) }
      }
    case .queue(let queue):
      queue.enqueue { end(read()) }
    case .afterMain(let queue):
      DispatchQueue.main.enqueue {
        let output = read()
        if MainQueue.is(queue) { end(output) } else { queue.enqueue { end(output) } }
      }
    }
  }
}

/// The queue for an app's code that runs during a request, such as the replacement of a token or a signature. The event
/// that calls for the code may come on a thread of a transport or a clock, which an app's code must not block.
enum UserCallbackQueue {
  static let shared = DispatchQueue(
    label: "WebServices.UserCallbackQueue", qos: .userInitiated, attributes: .concurrent)
}

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
