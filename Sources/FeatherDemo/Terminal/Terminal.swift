import Foundation

/// The terminal that standard error or standard output is connected to, if any.
enum Terminal {
  static let eraseLine = "\r\u{1B}[K"

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard error can show a line that is redrawn.
  static var canAnimate: Bool { isErrorTerminal && hasControls(ProcessInfo.processInfo.environment) }

  /// Whether standard error shows colours. The variable `NO_COLOR` switches them off (https://no-color.org).
  static var hasColours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isErrorTerminal && hasControls(environment) && (environment["NO_COLOR"] ?? "").isEmpty
  }

  private static func hasControls(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// The number of columns of standard error, or 80 if the system doesn't know.
  static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
