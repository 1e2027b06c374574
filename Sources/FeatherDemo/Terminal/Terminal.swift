import Foundation

/// The terminal that standard error or standard output is connected to, if any.
enum Terminal {
  static let eraseLine = "\r\u{1B}[K"

  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  private static func variable(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

  /// Whether standard error can show a line that is redrawn.
  static var canAnimate: Bool { isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(variable("TERM")) }

  /// Whether standard error shows colours. The variable `NO_COLOR` switches them off (https://no-color.org).
  static var hasColours: Bool { canAnimate && variable("NO_COLOR").isEmpty }

  /// The number of columns of standard error, or 80 if the system doesn't know.
  static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
