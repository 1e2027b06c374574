import Foundation
import WebServices

/// The terminal: its size, the echo and the status line. `restore()` undoes all changes before the process ends. The
/// lock guards the settings and every write of a status line.
enum Terminal {
  private struct State: Sendable {
    /// The settings before the echo was switched off; `nil` while it is on.
    var saved: termios?
    var hasStatusLine = false
    var isEnding = false
  }

  static let eraseLine = "\r\u{1B}[K"
  private static let input = StandardStreams.Stream.input.rawValue
  private static let state = Locked(State())

  static var isInputTerminal: Bool { isatty(input) == 1 }

  /// Whether standard error can show a line that is redrawn.
  static var canAnimate: Bool {
    guard let kind = ProcessInfo.processInfo.environment["TERM"], !kind.isEmpty, kind != "dumb" else {
      return false
    }
    return isErrorTerminal
  }

  static var isErrorTerminal: Bool { isatty(StandardStreams.Stream.error.rawValue) == 1 }

  /// The number of columns of standard error, or 80 if the system doesn't know.
  static var width: Int {
    var size = winsize()
    let result = ioctl(StandardStreams.Stream.error.rawValue, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  static var hasStatusLine: Bool { state.withLock { $0.hasStatusLine } }

  static func noteStatusLine(_ isThere: Bool) {
    state.withLock { $0.hasStatusLine = isThere }
  }

  /// Hides what the user types until `switchEchoOn()`.
  static func switchEchoOff() {
    state.withLock { state in
      var settings = termios()
      guard !state.isEnding, state.saved == nil, tcgetattr(input, &settings) == 0 else { return }
      state.saved = settings
      settings.c_lflag &= ~tcflag_t(ECHO)
      // Flushing drops what the user has typed ahead with the echo on.
      tcsetattr(input, TCSAFLUSH, &settings)
    }
  }

  /// Writes a piece of a status line. Once the process is ending it writes nothing, because the text would appear after
  /// the shell's prompt.
  static func show(_ text: String) {
    state.withLock { state in
      guard !state.isEnding else { return }
      _ = StandardStreams.write(text, to: .error)
    }
  }

  /// Restores the settings; does nothing if the echo is on.
  static func switchEchoOn() {
    state.withLock { state in
      guard var settings = state.saved else { return }
      tcsetattr(input, TCSANOW, &settings)
      state.saved = nil
    }
  }

  /// Restores the terminal before the process ends. Later calls of `show(_:)` write nothing.
  static func restore() {
    state.withLock { state in
      if state.hasStatusLine { _ = StandardStreams.write(eraseLine, to: .error) }
      state.hasStatusLine = false
      state.isEnding = true
    }
    switchEchoOn()
  }
}
