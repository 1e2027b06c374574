/// What `--help` and `--version` print.
enum HelpText {
  static let version = "FeatherDemo 0.1.0"

  static func text(for command: Command) -> String {
    ([usage(of: command), summary(of: command)] + details(of: command) + [options(of: command)])
      .joined(separator: "\n\n")
  }

  private static func usage(of command: Command) -> String {
    switch command {
    case .signInAndJokes: "Usage: FeatherDemo [signin | jokes | serve] [options]"
    case .signIn, .jokes, .serve: "Usage: \(command.invocation) [options]"
    }
  }

  private static func summary(of command: Command) -> String {
    switch command {
    case .signInAndJokes: "Signs in to a REST service and shows ten random jokes."
    case .signIn: "Signs in, and says as whom and for how long. The token itself is never shown."
    case .jokes: "Signs in and shows random jokes, one a line."
    case .serve: "Runs the demo's backend until it is interrupted, and prints its base URL."
    }
  }

  private static func details(of command: Command) -> [String] {
    switch command {
    case .signInAndJokes: [commands, server, account, statuses]
    case .signIn, .jokes: [server, account]
    case .serve:
      ["It listens on 127.0.0.1 only. Any user can sign in, with the password \"\(DemoAccount.password)\"."]
    }
  }

  private static let commands = """
    Commands:
      signin  signs in, and says as whom and for how long
      jokes   signs in and shows random jokes, one a line
      serve   runs the demo's backend, for --base-url
      "FeatherDemo COMMAND --help" tells more about each.
    """

  private static let server = """
    Without --base-url the demo starts a backend of its own, in this process and on a port that the
    system chooses.
    """

  private static let account = """
    Without --user it is the demo account that signs in: user "\(DemoAccount.user)", password "\
    \(DemoAccount.password)". With --user the
    password is taken from the environment variable FEATHER_PASSWORD; where that isn't set, you are
    asked for it, if standard input is a terminal. It is never an argument. The demo's own backend knows
    every user by the demo account's password, which is used for it where nobody can be asked.
    """

  private static let statuses = """
    Exit status: 0; 1 when a request failed; 64 for wrong usage; 130 when interrupted.
    """

  private static func options(of command: Command) -> String {
    let lines = Option.allCases.filter { $0.applies(to: command) }.map { option in
      let words = [option.rawValue, option.valueName].compactMap { $0 }
      return line(words.joined(separator: " "), meaning(of: option, command))
    }
    let common = [line("--help, -h", "prints this"), line("--version", "prints the version")]
    return (["Options:"] + lines + common).joined(separator: "\n")
  }

  private static func line(_ option: String, _ meaning: String) -> String {
    "  \(option)" + String(repeating: " ", count: max(1, 16 - option.count)) + meaning
  }

  private static func meaning(of option: Option, _ command: Command) -> String {
    let range = Arguments.countRange
    switch option {
    case .count: return "how many jokes, \(range.lowerBound) to \(range.upperBound); 10 unless it is given"
    case .port: return "the port, 0 to 65535; the system chooses one unless it is given"
    case .baseURL: return "the address of the server, such as http://127.0.0.1:8080"
    case .user: return "who signs in"
    case .json: return "prints JSON on standard output"
    case .verbose:
      let what = command == .serve ? "request" : "exchange"
      return "shows each \(what) on standard error, without secrets"
    }
  }
}
