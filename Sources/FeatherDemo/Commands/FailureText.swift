import WebServices

/// Explains a failed request in two lines: the error, and a hint what to do.
struct FailureText {
  /// The step that failed, such as `signing in`.
  let action: String
  let error: WebServiceError?
  let baseURL: String
  var command = Command.signInAndJokes
  /// Whether the server is the demo's own. Hints then don't mention its address.
  var isOwnBackend = false
  /// The file that the command reads or writes.
  var file: String?

  var lines: [String] {
    guard let error else {
      return ["FeatherDemo: \(action) failed. The response has no body.", wrongServerHint]
    }
    return ["FeatherDemo: \(action) failed. \(error.friendlyDescription)", hint(for: error)]
  }

  private func hint(for error: WebServiceError) -> String {
    if let reason = FileFailure.reason(for: error) { return fileHint(reason) }
    switch error.kind {
    case .sessionFailure, .timedOut:
      return isOwnBackend
        ? Self.verboseHint
        : "Is the server at \(baseURL) running? \"FeatherDemo serve\" starts one, and --verbose shows each request."
    case .noConnection:
      return "A server on this machine needs no network: \"FeatherDemo serve\" starts one."
    case .statusCode(401) where command.signsIn, .statusCode(403) where command.signsIn, .token:
      return "Check the user (--user) and the password (FEATHER_PASSWORD)."
    case .statusCode(404), .notHTTPResponse, .undecodableBody:
      return wrongServerHint
    case .badURL, .invalidRequest:
      return command.signsIn ? "Check --base-url and --user." : "Check the address, the header fields and the file."
    case .circuitOpen:
      return "Wait a moment, and run the command again."
    default:
      return Self.verboseHint
    }
  }

  private static let verboseHint = "--verbose shows each request."

  private func fileHint(_ reason: String) -> String {
    let place = file.map { "\(Wording.oneLine($0)): " } ?? ""
    return "\(place)\(reason). Check that the file and its folder exist, and that you may use them."
  }

  private var offer: String {
    switch command {
    case .signInAndJokes, .signIn, .jokes, .serve: "sign-in and jokes"
    case .request: "the path"
    case .download: "the file"
    case .upload: "a place for uploads"
    case .items: "items in pages"
    case .watch: "events"
    case .outage: "an outage on command"
    case .cities: "sign-in and cities"
    case .account: "sign-in and accounts"
    case .photo: "the photo"
    case .menu: "a menu"
    }
  }

  private var wrongServerHint: String {
    guard !isOwnBackend else { return "\"\(command.invocation) --help\" lists what the demo's own server offers." }
    return "Is \(baseURL) the right address? It must offer \(offer) as \"FeatherDemo serve\" does."
  }
}
