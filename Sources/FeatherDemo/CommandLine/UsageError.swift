/// A command line that the demo can't run.
struct UsageError: Error, Equatable {
  /// The message, in one line.
  let message: String
  /// The command that the user typed, or the default command if none could be read.
  var command = Command.signInAndJokes

  init(_ message: String) {
    self.message = message
  }
}
