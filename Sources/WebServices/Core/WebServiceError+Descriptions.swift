public import Foundation

extension WebServiceError {
  /// The failure in a sentence or two for the person at the screen, with what can be done about it.
  public var friendlyDescription: String {
    switch kind {
    case .statusCode(407),
      .sessionFailure where (underlying as? TransportError)?.message == TransportMessage.proxyRefusal:
      "The proxy refused the user name or the password."
    case .unexpected: "Something unexpected went wrong. Please try again."
    case .noConnection: "There is no network connection. Check it and try again."
    case .badURL, .invalidRequest: "The request couldn't be made. Please check what you entered, or update the app."
    case .token:
      switch underlying(as: TokenError.self) {
      case .notSignedIn, .signedOut: "You aren't signed in. Please sign in and try again."
      case .colonInUser, .notSendable: "The sign-in can't be sent. Please check what you entered."
      case .expired: "Your session has expired. Please sign in again."
      default:
        switch underlying(as: WebServiceError.self) {
        case nil: "Your session couldn't be renewed. Please try again later."
        // Only a server that refuses the renewal makes a sign-in necessary.
        case let renewal? where [.statusCode(400), .statusCode(401), .statusCode(403)].contains(renewal.kind):
          "Your session couldn't be renewed. Please sign in again."
        case let renewal?: "Your session couldn't be renewed. \(renewal.friendlyDescription)"
        }
      }
    case .redirect: "The service redirected the request in a way that isn't allowed. Please try again later."
    case .notHTTPResponse, .undecodableBody, .invalidResponse:
      "The response of the service couldn't be read. Please try again later."
    case .statusCode(401): "You aren't signed in, or your sign-in was refused. Please sign in again."
    case .statusCode(403): "You aren't allowed to do this."
    case .statusCode(404), .statusCode(410): "This doesn't exist (any more)."
    case .statusCode(409), .statusCode(412): "Someone else changed this in the meantime. Please reload and try again."
    case .statusCode(429): "Too many requests. Please wait a moment and try again."
    case .statusCode(let code) where code >= 500 && code != 504:
      "The service has a problem (\(code)). Please try again later."
    case .sessionFailure:
      switch (underlying as? TransportError)?.kind {
      case .tls: "No secure connection to the service could be made."
      case .tooLarge: "The response of the service is too large."
      case .truncated, .badFraming, .badEncoding, .connectionLost:
        "The connection to the service was lost. Please try again."
      default: "The service couldn't be reached. Please try again later."
      }
    case .circuitOpen: "The service has a problem. Please try again in a moment."
    case .cancelled: "The request was cancelled."
    case .file: "A file couldn't be read or written."
    case .timedOut, .statusCode(408), .statusCode(504): "The service took too long to respond. Please try again later."
    case .statusCode(let code): "The service refused the request (\(code))."
    }
  }

  /// Any failure in a sentence for the person at the screen. A `WebServiceError` has its own sentence, and a
  /// `LocalizedError` its description. Of any other error the sentence says that something unexpected went wrong.
  ///
  /// In a `Task { }`, or where a `do` calls other code that throws, the error of a `catch` has no type of its own.
  ///
  /// - Parameter error: the failure.
  public static func friendlyDescription(of error: any Error) -> String {
    switch error {
    case let error as WebServiceError: error.friendlyDescription
    case is CancellationError: WebServiceError(.cancelled).friendlyDescription
    default: (error as? any LocalizedError)?.errorDescription ?? WebServiceError(.unexpected).friendlyDescription
    }
  }
}

extension WebServiceError: DescriptionOnly, LocalizedError {
  /// Returns ``friendlyDescription``.
  public var errorDescription: String? { friendlyDescription }

  /// All that is known, in one line for developers, with secrets hidden.
  public var description: String {
    var parts = [
      "\(kind) (\(phase.rawValue)): \(method) \(redaction.url(url))",
      attemptCount == 1 ? "1 attempt" : "\(attemptCount) attempts", message,
    ]
    if let response {
      parts += ["status \(response.statusCode)", "headers \(redaction.headers(response.headers))"]
      if !response.body.isEmpty { parts.append("body \(redaction.body(response.body))") }
    }
    // The decoding failure repeats the underlying error and adds the place in the document.
    if let decodingFailure {
      parts.append(decodingFailure.description(redaction: redaction))
    } else {
      if let codingPath {
        parts.append("at \(codingPath.isEmpty ? "the top level" : redaction.text(codingPath.joined(separator: ".")))")
      }
      for cause in causes {
        parts.append("underlying \(describe(cause, unlessIn: message))")
        // Its own description has the causes below it.
        if cause is WebServiceError { break }
      }
    }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The error in words, or its name alone if its words are a part of the message.
  private func describe(_ error: any Error, unlessIn message: String) -> String {
    let description = describe(error)
    guard let colon = description.range(of: ": "), message.contains(description[colon.upperBound...]) else {
      return description
    }
    return String(description[..<colon.lowerBound])
  }

  private func describe(_ error: any Error) -> String {
    switch error {
    case let error as TransportError: "\(error.kind): \(redaction.text(error.message))"
    case let error as RedirectPolicy.Refusal: "RedirectPolicy.Refusal \(error.reason)"
    case let error as DecodingError: "DecodingError: \(redaction.text(DecodingErrorFacts(error).explanation))"
    case let error as any DescribedByLibrary: error.description(redaction: redaction)
    case let error as WebServiceError: "(\(error.description))"
    default: redaction.text(ErrorName.of(error))
    }
  }
}
