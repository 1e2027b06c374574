import Foundation

/// Where everything is printed: results on standard output, everything else on standard error. All of it goes through
/// one queue, so that lines keep their order and no transport's thread waits for a slow terminal.
enum Console {
  private static let queue = DispatchQueue(label: "FeatherDemo.Console")

  /// Prints a result for people.
  static func result(_ text: String) {
    data(Wording.printable(text))
  }

  /// Prints a result for programs, as it is.
  static func data(_ text: String) {
    queue.async { writeResult(text + "\n") }
  }

  /// Prints what isn't a result.
  @Sendable
  static func note(_ text: String) {
    queue.async { writeNote(Wording.printable(text) + "\n") }
  }

  /// Prints lines that aren't a result, and that take a while to make: not on the caller's thread.
  static func notes(_ lines: @escaping @Sendable () -> [String]) {
    queue.async {
      let text = lines().map { Wording.printable($0) + "\n" }.joined()
      writeNote(text)
    }
  }

  /// Prints without a line break and as it is, for a terminal.
  static func status(_ text: String) {
    queue.async { Terminal.show(text) }
  }

  /// Waits until all is printed.
  static func flush() {
    queue.sync {}
  }

  /// A status line makes room; it is drawn again behind the note.
  private static func writeNote(_ text: String) {
    _ = StandardStreams.write(Terminal.hasStatusLine ? Terminal.eraseLine + text : text, to: .error)
  }

  private static func writeResult(_ text: String) {
    guard let failure = StandardStreams.write(text, to: .output) else { return }
    // Nobody reads any more (`| head -1`): end as quietly as SIGPIPE would have.
    if failure.isBrokenPipe { Interruption.end(status: 141) }
    _ = StandardStreams.write("FeatherDemo: the results can't be printed: \(failure)\n", to: .error)
    Interruption.end(status: ExitStatus.failure.rawValue)
  }
}
