import Foundation

extension WebServiceClock {
  /// Waits so many seconds.
  ///
  /// - Returns: whether the wait wasn't cut short by the cancellation of the Swift task.
  func wait(_ seconds: TimeInterval) async -> Bool {
    let ending = Locked<(continuation: CheckedContinuation<Bool, Never>?, isCancelled: Bool)>((nil, false))
    let timer = Locked<(any WebServiceTimer)?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = ending.withLock { ending in
          if !ending.isCancelled { ending.continuation = continuation }
          return ending.isCancelled
        }
        guard !isCancelled else { return continuation.resume(returning: false) }
        let scheduled = schedule(after: seconds) { ending.takeContinuation()?.resume(returning: true) }
        let isOver = ending.withLock { ending in
          guard ending.continuation != nil else { return true }
          timer.withLock { $0 = scheduled }
          return false
        }
        if isOver { scheduled.cancel() }
      }
    } onCancel: {
      let continuation = ending.withLock { ending in
        defer { ending = (nil, true) }
        return ending.continuation
      }
      timer.withLock { $0 }?.cancel()
      continuation?.resume(returning: false)
    }
  }
}

extension Locked where Value == (continuation: CheckedContinuation<Bool, Never>?, isCancelled: Bool) {
  fileprivate func takeContinuation() -> CheckedContinuation<Bool, Never>? {
    withLock { ending in
      defer { ending.continuation = nil }
      return ending.continuation
    }
  }
}
