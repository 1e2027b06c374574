import Dispatch

/// The last station: where an answer is decoded and where its completion runs. Each hop between queues costs some
/// microseconds, so there is one where one is enough.
enum CallbackQueue: Sendable {
  /// Decoded beside the main queue, so that the main queue isn't held up, and delivered on it.
  case main
  /// Decoded and delivered on this queue.
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
