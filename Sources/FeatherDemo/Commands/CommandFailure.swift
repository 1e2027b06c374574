/// The failure of a command, as lines for the user.
struct CommandFailure: Error {
  let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }
}
