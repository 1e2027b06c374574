import Dispatch

/// The queue that the caller chose for the completion. The response is decoded on it too, unless it is the main queue.
/// A hop between queues costs some microseconds, so there is at most one unless the main queue needs two.
enum CallbackQueue: Sendable {
  /// Decodes on another queue, so that decoding doesn't block the main queue, and delivers on the main queue.
  case main
  /// Decodes and delivers on this queue.
  case queue(DispatchQueue)

  init(_ queue: DispatchQueue) {
    self = queue === DispatchQueue.main ? .main : .queue(queue)
  }

  func deliver<Value: Sendable>(
    _ read: @escaping @Sendable () -> Value, to completion: @escaping @Sendable (Value) -> Void
  ) {
    switch self {
    case .main:
      InlineCompletion.run(on: .global(qos: .userInitiated)) {
        let value = read()
        DispatchQueue.main.async { completion(value) }
      }
    case .queue(let queue):
      InlineCompletion.run(on: queue) { completion(read()) }
    }
  }
}
