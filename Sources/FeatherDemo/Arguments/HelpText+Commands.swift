// The help's paragraphs about each command.
extension HelpText {
  static func summary(of command: Command) -> String {
    switch command {
    case .signInAndJokes: "Signs in to a REST service and shows ten random jokes."
    case .signIn: "Signs in, and prints the user and the token's lifetime. The token itself is never shown."
    case .jokes: "Signs in and shows random jokes, one per line."
    case .request: "Sends one request to any server and shows the response."
    case .download: "Downloads into a file, which is replaced once the download is complete."
    case .upload: "Uploads a file, which is read while it is sent."
    case .items: "Shows a collection page by page, each page as it arrives."
    case .watch: "Shows server-sent events as they arrive, and each reconnection."
    case .outage: "Makes the server fail, and shows retries, a circuit breaker and the recovery."
    case .cities: "Signs in and shows cities. The feature has layers, from the service to the renderer."
    case .account: "Signs in, changes the user while calls are in progress, and signs out."
    case .photo: "Shows one photo, loaded with an Endpoint and a Networker."
    case .menu: "Logs in and shows results. The service has its own errors and validators."
    case .serve: "Runs the demo's backend until it is interrupted, and prints its base URL."
    }
  }

  static func details(of command: Command) -> [String] {
    switch command {
    case .signInAndJokes: [commands, server, account, statuses]
    case .signIn, .jokes: [server, account]
    case .request: [responses, paths, server]
    case .download: [files, paths, server]
    case .upload: [uploads, paths, server]
    case .items, .watch: [server]
    case .outage: [waits, server]
    case .cities: [server, account]
    case .account: [identities, server, account]
    case .photo: [photos, server]
    case .menu: [server, account]
    case .serve:
      ["The backend listens on 127.0.0.1 only. Any user can sign in with the password \"\(DemoAccount.password)\"."]
    }
  }

  private static let commands = """
    Commands:
      signin    signs in, and prints the user and the token's lifetime
      jokes     signs in and shows random jokes, one per line
      request   sends one request to any server and shows the response
      download  downloads into a file
      upload    uploads a file
      items     shows a collection page by page
      watch     shows server-sent events
      outage    shows retries, a circuit breaker and the recovery
      cities    shows cities: a feature in layers
      account   changes the user while calls are in progress
      photo     shows one photo: an Endpoint and a Networker
      menu      logs in: a service with its own errors
      serve     runs the demo's backend, for --base-url
      "FeatherDemo COMMAND --help" explains a command.
    """

  private static let server = """
    Without --base-url the demo starts its own backend in this process, on a free port.
    """

  private static let paths = """
    URL is an absolute address or a path on the demo's server, such as files/5M, items, events, photos/1 or flaky.
    """

  private static let account = """
    Without --user the demo account signs in: user "\(DemoAccount.user)", password "\(DemoAccount.password)".
    With --user the password is read from the environment variable FEATHER_PASSWORD. If the variable isn't set and
    standard input is a terminal, you are prompted for the password. The password is never an argument. The demo's
    own backend accepts every user with the demo account's password, which is the default without a terminal.
    """

  private static let statuses = """
    Exit status: 0 for success, 1 for a failed request, 64 for wrong usage, 130 for an interruption.
    """

  private static let responses = """
    The command prints the status, the header fields (credentials are hidden), the duration of each phase, and the
    content. JSON is indented; the order of its members and its numbers stay as the server sent them. Text is printed
    as it is, and any other content as its length. The exit status is 0 for status 200 to 299 and 1 for any other.
    Everybody on this machine can read the arguments while the command runs, so a credential in --header isn't secret.
    """

  private static let files = """
    A download resumes after a broken connection if the server supports it. Control-C leaves no file behind. The
    demo's server has files of any size: files/5M is one. Use files/5M?rate=1M for a slow transfer and
    files/5M?break=2M for a connection that breaks.
    """

  private static let uploads = """
    The file is sent with PUT. The demo's server accepts up to 256 MB and stores nothing.
    """

  private static let identities = """
    Three slow calls are in progress when the user "\(AccountStory.secondUser)" signs in with the same password, and one
    more at the sign-out. The calls of the previous user are cancelled, and none of their results is delivered.
    """

  private static let photos = """
    The demo's server has photos 1 to \(DemoBackend.photoCount).
    """

  private static let waits = """
    The command takes a few seconds, because the library really waits between attempts.
    """
}
