package import Foundation

/// Waits for a callback. Cancelling the Swift task cancels the task that `start` returned; the callback has to come all
/// the same. Only its first call counts.
package func awaited<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> WebServiceTask) async -> Value {
  let cancellation = TaskCancellation()
  let isFirstCall = Once()
  let value = await withTaskCancellationHandler {
    // Unsafe: `isFirstCall` resumes the continuation once, and a checked one allocates an object for its check.
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
      let task = start { value in
        if isFirstCall() { continuation.resume(returning: value) }
      }
      // Set after the start, which returns the task. A cancel before this line runs the action at once.
      cancellation.set { task.cancel() }
    }
  } onCancel: {
    cancellation.cancel()
  }
  // The lock orders the callback's thread before this one. If the callback comes before the wait, the runtime orders
  // both with an atomic that the thread sanitizer doesn't see.
  _ = isFirstCall()
  return value
}

extension WebServiceClock {
  /// Waits this many seconds.
  ///
  /// - Parameter begin: called when the wait begins, with a task whose cancellation ends the wait.
  /// - Returns: `false` if that cancellation or the one of the Swift task ended the wait.
  package func wait(_ seconds: TimeInterval, begin: (WebServiceTask) -> Void = { _ in }) async -> Bool {
    await awaited { done in
      let timer = schedule(after: seconds) { done(true) }
      let end = WebServiceTask {
        timer.cancel()
        done(false)
      }
      begin(end)
      return end
    }
  }
}
