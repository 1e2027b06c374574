/// What the demo can do.
enum Command: CaseIterable, Sendable {
  /// Without a command: what the main screen of an app would do.
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

  /// The word that stands for it on the command line.
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

  /// How it is called, without what follows.
  var invocation: String {
    name.map { "FeatherDemo \($0)" } ?? "FeatherDemo"
  }

  /// The words that follow it, in this order; all of them are needed.
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

  /// Whether it begins with a sign-in.
  var signsIn: Bool {
    switch self {
    case .signInAndJokes, .signIn, .jokes, .cities, .account, .menu: true
    case .request, .download, .upload, .items, .watch, .outage, .photo, .serve: false
    }
  }
}

/// A word that a command can't do without.
enum Operand: String, Sendable {
  case method = "METHOD"
  case url = "URL"
  case file = "FILE"
  case photoID = "ID"
  /// A word that stands for itself.
  case login = "login"
}
