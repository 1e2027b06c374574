import WebServices

/// What is said about a request that failed: what happened, and what to do.
struct FailureText {
  /// What was tried, such as `signing in`.
  let action: String
  let error: WebServiceError?
  let baseURL: String
  var command = Command.signInAndJokes

  var lines: [String] {
    guard let error else {
      return ["FeatherDemo: \(action) failed. The service answered without a body.", wrongServerHint]
    }
    return ["FeatherDemo: \(action) failed. \(error.friendlyDescription)", hint(for: error)]
  }

  private func hint(for error: WebServiceError) -> String {
    switch error.kind {
    case .sessionFailure, .timedOut:
      "Is the server at \(baseURL) running? \"FeatherDemo serve\" starts one, and --verbose shows each exchange."
    case .noConnection:
      "A server on this machine can be asked without a network: \"FeatherDemo serve\" starts one."
    case .statusCode(401) where command.signsIn, .statusCode(403) where command.signsIn, .token:
      "Check the user (--user) and the password (FEATHER_PASSWORD)."
    case .statusCode(404), .notHTTPResponse, .undecodableBody:
      wrongServerHint
    case .badURL, .invalidRequest:
      command.signsIn ? "Check --base-url and --user." : "Check the address, the header fields and the file."
    case .file:
      "Check that the file and its folder are there, and that you may use them."
    case .circuitOpen:
      "It is asked again in a moment."
    default:
      "--verbose shows each exchange."
    }
  }

  private var offer: String {
    switch command {
    case .signInAndJokes, .signIn, .jokes, .serve: "sign-in and jokes"
    case .request: "the path"
    case .download: "the file"
    case .upload: "a place for uploads"
    case .items: "items in pages"
    case .watch: "events"
    case .outage: "failures on command"
    case .cities: "sign-in and cities"
    case .account: "sign-in and accounts"
    case .photo: "the photo"
    case .menu: "a menu"
    }
  }

  private var wrongServerHint: String {
    "Is \(baseURL) the right address? It must offer \(offer) as \"FeatherDemo serve\" does."
  }
}
