import WebServices

/// What is said about a request that failed: what happened, and what to do.
struct FailureText {
  /// What was tried, such as `signing in`.
  let action: String
  let error: WebServiceError?
  let baseURL: String

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
    case .statusCode(401), .statusCode(403), .token:
      "Check the user (--user) and the password (FEATHER_PASSWORD)."
    case .statusCode(404), .notHTTPResponse, .undecodableBody:
      wrongServerHint
    case .badURL, .invalidRequest:
      "Check --base-url and --user."
    default:
      "--verbose shows each exchange."
    }
  }

  private var wrongServerHint: String {
    "Is \(baseURL) the right address? It must offer sign-in and jokes as \"FeatherDemo serve\" does."
  }
}
