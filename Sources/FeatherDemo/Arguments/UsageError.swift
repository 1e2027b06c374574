/// A command line that can't be followed.
struct UsageError: Error, Equatable {
  /// One line.
  let message: String
  /// The command that was meant, as far as it is known.
  let command: Command

  init(_ message: String, command: Command = .signInAndJokes) {
    self.message = message
    self.command = command
  }

  /// What shows how it should have been.
  var helpInvocation: String { "\(command.invocation) --help" }
}
