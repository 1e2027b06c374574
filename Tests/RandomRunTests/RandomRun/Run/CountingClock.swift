import Foundation
import WebServices

/// The system's clock. It counts the waiting timers.
final class CountingClock: WebServiceClock {
  private let waiting = Guarded(0)

  var now: TimeInterval { SystemClock.shared.now }
  var waitingTimers: Int { waiting.withLock { $0 } }

  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    let end = Ending(waiting)
    return Timer(
      end: end,
      timer: SystemClock.shared.schedule(after: delay) {
        end.perform()
        action()
      })
  }

  /// Counts a timer until it has fired or was cancelled.
  private final class Ending: Sendable {
    private let waiting: Guarded<Int>
    private let isOver = Guarded(false)

    init(_ waiting: Guarded<Int>) {
      self.waiting = waiting
      waiting.withLock { $0 += 1 }
    }

    func perform() {
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { waiting.withLock { $0 -= 1 } }
    }
  }

  private struct Timer: WebServiceTimer {
    let end: Ending
    let timer: any WebServiceTimer

    func cancel() {
      end.perform()
      timer.cancel()
    }
  }
}
