import Foundation
import WebServices

/// Shows the progress of a transfer in the last line of a terminal. Does nothing if standard error isn't a terminal.
@MainActor
final class ProgressBar {
  private struct State: Sendable {
    var bytes: Int64 = 0
    var total: Int64?
  }

  /// Written on the transport's threads and read by the animation.
  private nonisolated let state = Locked(State())
  private var animation: Task<Void, Never>?

  init(isShown: Bool) {
    guard isShown else { return }
    Terminal.noteStatusLine(true)
    animation = Task { [state] in
      var meter = RateMeter(start: SystemClock.shared.now)
      while !Task.isCancelled {
        let current = state.withLock { $0 }
        meter.update(bytes: current.bytes, at: SystemClock.shared.now)
        let line = ProgressLine(bytes: current.bytes, total: current.total, rate: meter.rate)
        // The last column stays empty, because some terminals wrap the line there.
        Console.status(Terminal.eraseLine + line.text(width: Terminal.width - 1))
        try? await Task.sleep(nanoseconds: 100_000_000)
      }
    }
  }

  /// Records the progress of the transfer. Call it on any thread.
  nonisolated func update(bytes: Int64, total: Int64?) {
    state.withLock { $0 = State(bytes: bytes, total: total) }
  }

  /// Erases the line. The animation and this function run on the main actor, so no line can follow.
  func finish() {
    guard let animation else { return }
    animation.cancel()
    self.animation = nil
    Console.status(Terminal.eraseLine)
    Terminal.noteStatusLine(false)
  }
}
