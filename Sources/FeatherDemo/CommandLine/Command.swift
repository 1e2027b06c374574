/// The commands of the demo. The parser and the help read the facts of each command.
enum Command: String, CaseIterable, Sendable {
  /// The default command, which has no word. It does what the main screen of an app would do.
  case signInAndJokes = ""
  case signIn = "signin"
  case jokes, request, download, upload, watch, cities, account, photo, menu, serve

  /// The words that start this command, without operands and options.
  var invocation: String { rawValue.isEmpty ? "FeatherDemo" : "FeatherDemo \(rawValue)" }

  /// The operands and options of a command, and the words of its help.
  struct Facts: Sendable {
    var summary: String
    /// The required words after the command, in this order.
    var operands: [Parameter] = []
    var options: [Parameter] = Parameter.client
    /// The paragraphs of the help after the summary.
    var notes: [String] = []
  }

  var facts: Facts {
    switch self {
    case .signInAndJokes:
      Facts(
        summary: "Signs in to a REST service and shows ten random jokes.",
        options: [.count] + Parameter.signedIn, notes: [HelpText.commands, HelpText.server, HelpText.account])
    case .signIn:
      Facts(
        summary: "Signs in, and prints the user and the token's lifetime. The token itself is never shown.",
        options: Parameter.signedIn, notes: [HelpText.account])
    case .jokes:
      Facts(
        summary: "Signs in and shows random jokes, one per line.", options: [.count] + Parameter.signedIn,
        notes: [HelpText.account])
    case .request:
      Facts(
        summary:
          "Sends one request to any server. The content goes to standard output, everything else to standard error.",
        operands: [.method, .url], options: [.header, .data, .output, .curl] + Parameter.client,
        notes: [
          HelpText.addresses,
          "Arguments are visible to everybody on this machine: a credential in --header is no secret.",
        ])
    case .download:
      Facts(
        summary: "Downloads into a file, which is replaced once the download is complete.", operands: [.url, .file],
        notes: [
          """
          A download that ends early continues when you run the same command again, if the server supports it. The demo's \
          own server has another address each time: run "FeatherDemo serve", and pass its --base-url.
          """,
          "Try files/5M?rate=1M for a slow transfer, and files/5M?break=2M for a connection that breaks.",
          HelpText.addresses,
        ])
    case .upload:
      Facts(
        summary: "Uploads a file with PUT. The file is read while it is sent.", operands: [.file],
        options: [.to] + Parameter.client, notes: ["The demo's server takes up to 256 MB and stores nothing."])
    case .watch:
      Facts(
        summary: "Shows server-sent events as they arrive, and each reconnection.",
        options: [.count] + Parameter.client)
    case .cities:
      Facts(
        summary: "Signs in and shows cities: typed resources, a business controller and a view model.",
        options: Parameter.signedIn)
    case .account:
      Facts(
        summary:
          "Signs in, changes the user while a call is in progress, and signs out: a Server that follows the user.",
        options: Parameter.signedIn)
    case .photo:
      Facts(summary: "Shows one photo: an Endpoint and a Networker.", operands: [.photoID])
    case .menu:
      Facts(
        summary: "Logs in and shows results: a service with its own errors and validators.",
        options: Parameter.signedIn)
    case .serve:
      Facts(
        summary: "Runs the demo's server on 127.0.0.1 until Control-C, and prints its base URL.",
        options: [.port, .json, .verbose],
        notes: ["Any user can sign in with the password \"\(DemoAccount.password)\"."])
    }
  }

  /// Whether the command signs in first, and so has the option `--user`.
  var signsIn: Bool { facts.options.contains { $0.name == Parameter.user.name } }

  /// - Parameter word: the word that the user typed.
  /// - Throws: a ``UsageError`` that names the command with the most similar word.
  init(word: String) throws(UsageError) {
    if let command = Command(rawValue: word), !word.isEmpty {
      self = command
      return
    }
    let words = Command.allCases.map(\.rawValue).filter { !$0.isEmpty }
    let similar = words.min { $0.distance(to: word) < $1.distance(to: word) } ?? ""
    // A word that resembles no command isn't repeated: it may be the value of a misspelled option, and so a secret.
    guard similar.distance(to: word) <= 2 else {
      throw UsageError("there is no such command. See the list of commands.")
    }
    throw UsageError("there is no command \"\(word)\". Did you mean \"\(similar)\"?")
  }
}

extension String {
  /// The number of characters to insert, delete or replace to make the other text (Levenshtein's distance).
  func distance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let replaced = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
