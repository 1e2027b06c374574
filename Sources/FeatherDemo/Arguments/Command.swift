/// What the demo can do.
enum Command: CaseIterable, Sendable {
  /// Without a command: what the main screen of an app would do.
  case signInAndJokes
  case signIn
  case jokes
  case serve

  /// The word that stands for it on the command line.
  var name: String? {
    switch self {
    case .signInAndJokes: nil
    case .signIn: "signin"
    case .jokes: "jokes"
    case .serve: "serve"
    }
  }

  init?(named name: String) {
    guard let command = Command.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }

  /// How it is called, without options.
  var invocation: String {
    name.map { "FeatherDemo \($0)" } ?? "FeatherDemo"
  }
}
