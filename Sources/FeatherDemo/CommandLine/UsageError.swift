/// A command line that the demo can't run.
struct UsageError: Error, Equatable {
  /// The message, in one line.
  let message: String
  /// The command that the user typed, or the default command if none could be read.
  let command: Command

  init(_ message: String, _ command: Command = .signInAndJokes) {
    self.message = message
    self.command = command
  }
}
