/// The options of the command line. `Invocation` reads `--help` and `--version` first, and every command accepts both.
enum Option: String, CaseIterable, Sendable {
  case count = "--count"
  case pageSize = "--page-size"
  case all = "--all"
  case header = "--header"
  case data = "--data"
  case output = "--output"
  case curl = "--curl"
  case to = "--to"
  case port = "--port"
  case baseURL = "--base-url"
  case user = "--user"
  case json = "--json"
  case verbose = "--verbose"

  /// The placeholder for the option's value in the help; `nil` for a switch. `--json` takes a value for `request`,
  /// where it is the content to send, and is a switch for every other command.
  func valueName(for command: Command) -> String? {
    switch self {
    case .count, .pageSize, .port: "N"
    case .header: "'NAME: VALUE'"
    case .data: "TEXT|@FILE"
    case .output: "FILE"
    case .to, .baseURL: "URL"
    case .user: "NAME"
    case .json: command == .request ? "TEXT" : nil
    case .all, .curl, .verbose: nil
    }
  }

  func applies(to command: Command) -> Bool {
    switch self {
    case .count: [.signInAndJokes, .jokes, .watch].contains(command)
    case .pageSize, .all: command == .items
    case .header, .data, .output, .curl: command == .request
    case .to: command == .upload
    case .port: command == .serve
    case .baseURL: command != .serve
    case .user: command.signsIn
    case .json: command != .outage
    case .verbose: true
    }
  }
}
