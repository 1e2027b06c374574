import Foundation

/// Animates the last line of the terminal while a command waits.
@MainActor
final class Spinner {
  private static let frames = ["|", "/", "-", "\\"]

  private let isShown: Bool
  private var animation: Task<Void, Never>?

  init(isShown: Bool) {
    self.isShown = isShown
  }

  func start(_ text: String) {
    stop()
    guard isShown else { return }
    Terminal.noteStatusLine(true)
    animation = Task {
      var frame = 0
      while !Task.isCancelled {
        Console.status("\r\(Self.frames[frame % Self.frames.count]) \(text)...")
        frame += 1
        try? await Task.sleep(nanoseconds: 100_000_000)
      }
    }
  }

  /// Erases the line. The animation and this function run on the main actor, so no frame can follow.
  func stop() {
    guard let animation else { return }
    animation.cancel()
    self.animation = nil
    Console.status(Terminal.eraseLine)
    Terminal.noteStatusLine(false)
  }
}
