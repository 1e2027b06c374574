/// Why a command failed, in lines for the person at the screen.
struct CommandFailure: Error {
  let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }
}
