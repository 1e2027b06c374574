import Foundation

/// Prints results on standard output and everything else on standard error. One serial queue keeps the order of the
/// lines and keeps a slow terminal from blocking a transport's thread.
enum Console {
  private static let queue = DispatchQueue(label: "FeatherDemo.Console")

  /// Prints a result for people.
  static func result(_ text: String) {
    data(Wording.printable(text))
  }

  /// Prints a result for programs, unchanged.
  static func data(_ text: String) {
    queue.async { writeResult(text + "\n") }
  }

  /// Prints a message that isn't a result.
  @Sendable
  static func note(_ text: String) {
    queue.async { writeNote(Wording.printable(text) + "\n") }
  }

  /// Prints messages that are expensive to format. `lines` runs on the console's queue.
  static func notes(_ lines: @escaping @Sendable () -> [String]) {
    queue.async {
      let text = lines().map { Wording.printable($0) + "\n" }.joined()
      writeNote(text)
    }
  }

  /// Prints a piece of a status line, unchanged and without a line break.
  static func status(_ text: String) {
    queue.async { Terminal.show(text) }
  }

  /// Waits until everything is printed.
  static func flush() {
    queue.sync {}
  }

  /// Erases the status line before a message; the animation draws it again.
  private static func writeNote(_ text: String) {
    // A failure to write on standard error can't be reported anywhere.
    _ = StandardStreams.write(Terminal.hasStatusLine ? Terminal.eraseLine + text : text, to: .error)
  }

  private static func writeResult(_ text: String) {
    guard let failure = StandardStreams.write(text, to: .output) else { return }
    // The reader has closed the pipe (`| head -1`), so the process ends quietly, as SIGPIPE (13) would end it: 128 +
    // 13.
    if failure.isBrokenPipe { Interruption.end(status: 141) }
    _ = StandardStreams.write("FeatherDemo: the results can't be printed: \(failure)\n", to: .error)
    Interruption.end(status: ExitStatus.failure.rawValue)
  }
}
