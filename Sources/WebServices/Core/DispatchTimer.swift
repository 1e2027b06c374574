import Dispatch
import Foundation

/// One dispatch timer that is set again and again.
final class DispatchTimer: @unchecked Sendable {
  // A dispatch source may be used from any thread: libdispatch locks it itself.
  private let source: any DispatchSourceTimer

  init(label: String) {
    source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: label, qos: .userInitiated))
  }

  deinit {
    source.cancel()
  }

  /// Lets go of what runs when it fires.
  func cancel() {
    source.cancel()
  }

  /// Sets what runs when the timer fires and starts it. Called once.
  func onFire(_ action: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: action)
    source.activate()
  }

  /// Fires once after `delay` seconds, instead of whenever it was set for before; a delay of more than a day fires
  /// after a day.
  func schedule(after delay: TimeInterval) {
    let seconds = min(max(0, delay), 86_400)
    let wait = DispatchTimeInterval.nanoseconds(Int((seconds * 1e9).rounded(.up)))
    // Dispatch's own leeway would be a tenth of the delay.
    source.schedule(deadline: .now() + wait, leeway: .milliseconds(1))
  }
}
