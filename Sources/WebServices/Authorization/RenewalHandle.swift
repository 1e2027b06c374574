/// What a renewal under way has running besides itself: its timer and its request.
final class RenewalHandle: Sendable {
  private let timer = TaskCancellation()
  private let request = TaskCancellation()

  /// Keeps the timer, or cancels it where the renewal is over.
  func hold(_ timer: any WebServiceTimer) {
    self.timer.set { timer.cancel() }
  }

  /// Keeps the request in place of the former one, or cancels it where the renewal is over.
  func hold(_ task: WebServiceTask) {
    request.set { task.cancel() }
  }

  /// Stops both. A request that is over already isn't touched by it.
  func end() {
    timer.cancel()
    request.cancel()
  }
}
