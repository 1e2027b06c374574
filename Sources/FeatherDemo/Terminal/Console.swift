import Foundation
import WebServices

/// Prints results on standard output and everything else on standard error. One serial queue keeps the order of the
/// lines, and keeps a slow terminal from blocking a transport's thread.
enum Console {
  /// The colours of a note.
  enum Colour: Int {
    case red = 31
    case green = 32
  }

  private static let queue = DispatchQueue(label: "FeatherDemo.Console")
  /// Whether the last line of the terminal shows a status. Only the queue uses it.
  private static let hasStatus = Locked(false)

  /// Opens `/dev/null` for each standard stream that the parent process closed. Otherwise the next socket would get the
  /// stream's number. Each stream gets the wrong direction on purpose, so that reading or writing still fails.
  static func reserveStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Prints a line for people.
  static func result(_ text: String) {
    data(Data((Wording.printable(text) + "\n").utf8))
  }

  /// Prints bytes for programs, unchanged.
  static func data(_ data: Data) {
    queue.async {
      do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
        // A reader such as `head` may have all it wants. SIGPIPE then ends the demo without a word, but this thread, or
        // the process that started the demo, may have blocked the signal.
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if cause?.code != Int(EPIPE) { write("FeatherDemo: the results can't be printed.\n") }
        _exit(ExitStatus.failure.rawValue)
      }
    }
  }

  /// Prints a line that isn't a result.
  @Sendable
  static func note(_ text: String) { note(text, nil) }

  static func note(_ text: String, _ colour: Colour?) {
    let line = Wording.printable(text)
    queue.async {
      let painted = colour.map { Terminal.hasColours ? "\u{1B}[\($0.rawValue)m\(line)\u{1B}[0m" : line } ?? line
      // The animation draws the status again.
      write((hasStatus.withLock { $0 } ? Terminal.eraseLine : "") + painted + "\n")
    }
  }

  /// Replaces the status in the last line of the terminal; `nil` erases it.
  static func status(_ text: String?) {
    queue.async {
      guard text != nil || hasStatus.withLock({ $0 }) else { return }
      hasStatus.withLock { $0 = text != nil }
      write(Terminal.eraseLine + (text ?? ""))
    }
  }

  /// Waits until everything is printed.
  static func flush() {
    queue.sync {}
  }

  private static func write(_ text: String) {
    // A failure to write on standard error can't be reported anywhere.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
