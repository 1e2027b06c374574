// What the help says about each command.
extension HelpText {
  static func summary(of command: Command) -> String {
    switch command {
    case .signInAndJokes: "Signs in to a REST service and shows ten random jokes."
    case .signIn: "Signs in, and says as whom and for how long. The token itself is never shown."
    case .jokes: "Signs in and shows random jokes, one a line."
    case .request: "Sends one request and shows what the library makes of the answer."
    case .download: "Downloads into a file, which is replaced at once when the last byte is there."
    case .upload: "Sends a file, read while it is sent."
    case .items: "Shows a collection that the server gives out page by page, each page as it comes."
    case .watch: "Shows server-sent events as they come, and how a broken connection is resumed."
    case .outage: "Lets the server fail, and shows retries, a circuit breaker and the recovery."
    case .cities: "Signs in and shows cities: a feature in layers, from the service to the renderer."
    case .account: "Signs in, changes who is signed in while calls are on their way, and signs out."
    case .photo: "Shows one photo: an endpoint that is parsed by hand, and a networker."
    case .menu: "Logs in and shows results: a service with its own errors and its own validators."
    case .serve: "Runs the demo's backend until it is interrupted, and prints its base URL."
    }
  }

  static func details(of command: Command) -> [String] {
    switch command {
    case .signInAndJokes: [commands, server, account, statuses]
    case .signIn, .jokes: [server, account]
    case .request: [answers, paths, server]
    case .download: [files, paths, server]
    case .upload: [uploads, paths, server]
    case .items, .watch: [server]
    case .outage: [waits, server]
    case .cities: [server, account]
    case .account: [identities, server, account]
    case .photo: [photos, server]
    case .menu: [server, account]
    case .serve:
      ["It listens on 127.0.0.1 only. Any user can sign in, with the password \"\(DemoAccount.password)\"."]
    }
  }

  private static let commands = """
    Commands:
      signin    signs in, and says as whom and for how long
      jokes     signs in and shows random jokes, one a line
      request   sends one request to any server and shows all that came back
      download  downloads into a file
      upload    sends a file
      items     shows a collection page by page
      watch     shows server-sent events
      outage    shows retries, a circuit breaker and the recovery
      cities    shows cities: a feature in layers
      account   changes who is signed in while calls are on their way
      photo     shows one photo: an endpoint and a networker
      menu      logs in: a service with its own errors
      serve     runs the demo's backend, for --base-url
      "FeatherDemo COMMAND --help" tells more about each.
    """

  private static let server = """
    Without --base-url the demo starts a backend of its own, in this process and on a port that the
    system chooses.
    """

  private static let paths = """
    URL is an absolute address, or a path at the demo's server: files/5M, items, events, photos/1 and flaky are some.
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

  private static let answers = """
    It prints the status, the header fields (those that carry credentials are hidden), how long each part
    took, and the content: JSON laid out with its members in the server's order and its numbers as they
    came, text as text, anything else as its length. The exit status is 0 for a status of 200 to 299 and
    1 for any other. A header with a credential is readable for everybody on this machine while it runs.
    """

  private static let files = """
    A broken connection is resumed where the server lets it. Control-C leaves nothing behind. The demo's
    server has files of any size: files/5M, and files/5M?rate=1M for a slow one, files/5M?break=2M for a
    connection that breaks.
    """

  private static let uploads = """
    The file goes out by PUT. The demo's server takes up to 256 MB and keeps nothing.
    """

  private static let identities = """
    Three slow calls are on their way when the user "\(AccountStory.secondUser)" takes over, with the same password, and one
    more at the sign-out. What belongs to a former user is cancelled, and none of it is delivered.
    """

  private static let photos = """
    The demo's server has photos 1 to \(DemoBackend.photoCount).
    """

  private static let waits = """
    It takes a few seconds: the waits that it shows are those of the library.
    """
}
