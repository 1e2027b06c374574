/// The commands of the demo.
enum Command: CaseIterable, Sendable {
  /// The default command: it does what the main screen of an app would do.
  case signInAndJokes
  case signIn
  case jokes
  case request
  case download
  case upload
  case items
  case watch
  case outage
  case cities
  case account
  case photo
  case menu
  case serve

  /// The word to type on the command line; `nil` for the default command.
  var name: String? {
    switch self {
    case .signInAndJokes: nil
    case .signIn: "signin"
    case .jokes: "jokes"
    case .request: "request"
    case .download: "download"
    case .upload: "upload"
    case .items: "items"
    case .watch: "watch"
    case .outage: "outage"
    case .cities: "cities"
    case .account: "account"
    case .photo: "photo"
    case .menu: "menu"
    case .serve: "serve"
    }
  }

  init?(named name: String) {
    guard let command = Command.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }

  /// The words that start this command, without operands and options.
  var invocation: String {
    name.map { "FeatherDemo \($0)" } ?? "FeatherDemo"
  }

  /// The required words after the command, in this order.
  var operands: [Operand] {
    switch self {
    case .request: [.method, .url]
    case .download: [.url, .file]
    case .upload: [.file]
    case .photo: [.photoID]
    case .menu: [.login]
    case .signInAndJokes, .signIn, .jokes, .items, .watch, .outage, .cities, .account, .serve: []
    }
  }

  /// Signs in before it does anything else.
  var signsIn: Bool {
    switch self {
    case .signInAndJokes, .signIn, .jokes, .cities, .account, .menu: true
    case .request, .download, .upload, .items, .watch, .outage, .photo, .serve: false
    }
  }
}

/// A required word after a command.
enum Operand: String, Sendable {
  case method = "METHOD"
  case url = "URL"
  case file = "FILE"
  case photoID = "ID"
  /// The literal word `login`.
  case login = "login"
}
