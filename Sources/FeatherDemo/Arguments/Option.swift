/// The options, without `--help` and `--version`, which every command has.
enum Option: String, CaseIterable, Sendable {
  case count = "--count"
  case port = "--port"
  case baseURL = "--base-url"
  case user = "--user"
  case json = "--json"
  case verbose = "--verbose"

  /// What stands for its value in the help; `nil` for a switch.
  var valueName: String? {
    switch self {
    case .count, .port: "N"
    case .baseURL: "URL"
    case .user: "NAME"
    case .json, .verbose: nil
    }
  }

  func applies(to command: Command) -> Bool {
    switch self {
    case .count: command == .signInAndJokes || command == .jokes
    case .port: command == .serve
    case .baseURL, .user: command != .serve
    case .json, .verbose: true
    }
  }
}
