import Foundation
import WebServices

/// Shows how far a transfer has come, in the last line of a terminal; nothing where there is none.
///
/// It is told of progress from any thread.
final class ProgressBar: Sendable {
  private struct State: Sendable {
    var meter: RateMeter
    var lastDrawn: TimeInterval?
    var isOver = false
  }

  /// Seconds between two drawings.
  private static let interval: TimeInterval = 0.1

  private let isShown: Bool
  private let state: Locked<State>

  init(isShown: Bool) {
    self.isShown = isShown
    state = Locked(State(meter: RateMeter(start: SystemClock.shared.now)))
    guard isShown else { return }
    Terminal.noteStatusLine(true)
    draw(ProgressLine(bytes: 0))
  }

  func update(bytes: Int64, total: Int64?) {
    guard isShown else { return }
    let now = SystemClock.shared.now
    state.withLock { state in
      let isDue = state.lastDrawn.map { now - $0 >= Self.interval } ?? true
      guard !state.isOver, isDue || bytes == total else { return }
      state.meter.update(bytes: bytes, at: now)
      state.lastDrawn = now
      // With the lock held, so that none comes after the line was taken away.
      draw(ProgressLine(bytes: bytes, total: total, rate: state.meter.rate))
    }
  }

  /// Takes the line away.
  func finish() {
    state.withLock { state in
      guard isShown, !state.isOver else { return }
      state.isOver = true
      Console.status(Terminal.eraseLine)
      Terminal.noteStatusLine(false)
    }
  }

  private func draw(_ line: ProgressLine) {
    // The last column is left: some terminals break the line there.
    Console.status(Terminal.eraseLine + line.text(width: Terminal.width - 1))
  }
}
