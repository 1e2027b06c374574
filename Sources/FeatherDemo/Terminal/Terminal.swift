import Foundation
import WebServices

/// What may be changed about the terminal, and how it becomes again what it was.
enum Terminal {
  private struct State: Sendable {
    /// The settings from before the echo was switched off.
    var saved: termios?
    var hasStatusLine = false
  }

  static let eraseLine = "\r\u{1B}[K"
  private static let input = StandardStreams.Stream.input.rawValue
  private static let state = Locked(State())

  static var isInputTerminal: Bool { isatty(input) == 1 }

  /// Whether a line of standard error can be written again and again.
  static var canAnimate: Bool {
    guard let kind = ProcessInfo.processInfo.environment["TERM"], !kind.isEmpty, kind != "dumb" else {
      return false
    }
    return isatty(StandardStreams.Stream.error.rawValue) == 1
  }

  static func noteStatusLine(_ isThere: Bool) {
    state.withLock { $0.hasStatusLine = isThere }
  }

  /// Keeps what is typed from being shown, until `restore()`.
  static func switchEchoOff() {
    state.withLock { state in
      var settings = termios()
      guard state.saved == nil, tcgetattr(input, &settings) == 0 else { return }
      state.saved = settings
      settings.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(input, TCSAFLUSH, &settings)
    }
  }

  /// Makes the terminal what it was. Also called when the process is interrupted.
  static func restore() {
    let hadStatusLine = state.withLock { state in
      if var settings = state.saved {
        tcsetattr(input, TCSANOW, &settings)
        state.saved = nil
      }
      defer { state.hasStatusLine = false }
      return state.hasStatusLine
    }
    if hadStatusLine { _ = StandardStreams.write(eraseLine, to: .error) }
  }
}
