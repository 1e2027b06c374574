/// Shows the step in progress in the last line of the terminal. Without a terminal it shows nothing.
@MainActor
final class StatusLine {
  private static let frames = ["|", "/", "-", "\\"]

  private let isShown: Bool
  private var animation: Task<Void, Never>?

  init(isShown: Bool) {
    self.isShown = isShown
  }

  /// - Parameter text: makes the text of each frame.
  func start(_ text: @escaping @Sendable () -> String) {
    stop()
    guard isShown else { return }
    animation = Task {
      var frame = 0
      while !Task.isCancelled {
        // The last column stays empty, because some terminals wrap the line there.
        Console.status(String("\(Self.frames[frame % Self.frames.count]) \(text())".prefix(Terminal.width - 1)))
        frame += 1
        try? await Task.sleep(nanoseconds: 100_000_000)
      }
    }
  }

  /// Erases the line. The animation and this function run on the main actor, so no frame can follow.
  func stop() {
    animation?.cancel()
    animation = nil
    Console.status(nil)
  }
}
