import Foundation
import WebServices

/// What may be changed about the terminal, and how it becomes again what it was.
enum Terminal {
  private struct State: Sendable {
    /// The settings from before the echo was switched off.
    var saved: termios?
    var hasStatusLine = false
    var isEnding = false
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
    return isErrorTerminal
  }

  /// Whether standard error is a terminal.
  static var isErrorTerminal: Bool { isatty(StandardStreams.Stream.error.rawValue) == 1 }

  /// How many columns standard error has; 80 where nobody knows.
  static var width: Int {
    var size = winsize()
    let result = ioctl(StandardStreams.Stream.error.rawValue, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  static var hasStatusLine: Bool { state.withLock { $0.hasStatusLine } }

  static func noteStatusLine(_ isThere: Bool) {
    state.withLock { $0.hasStatusLine = isThere }
  }

  /// Keeps what is typed from being shown, until `switchEchoOn()`.
  static func switchEchoOff() {
    state.withLock { state in
      var settings = termios()
      guard !state.isEnding, state.saved == nil, tcgetattr(input, &settings) == 0 else { return }
      state.saved = settings
      settings.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(input, TCSAFLUSH, &settings)
    }
  }

  /// Writes a piece of a line, unless the process is ending: then it would stand behind the prompt of the shell.
  static func show(_ text: String) {
    state.withLock { state in
      guard !state.isEnding else { return }
      _ = StandardStreams.write(text, to: .error)
    }
  }

  static func switchEchoOn() {
    state.withLock { state in
      guard var settings = state.saved else { return }
      tcsetattr(input, TCSANOW, &settings)
      state.saved = nil
    }
  }

  /// Makes the terminal what it was before the process began.
  static func restore() {
    state.withLock { state in
      if state.hasStatusLine { _ = StandardStreams.write(eraseLine, to: .error) }
      state.hasStatusLine = false
      state.isEnding = true
    }
    switchEchoOn()
  }
}
