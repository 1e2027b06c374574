extension ResponseValidator {
  /// Reads what a server says of its refusal in problem details (RFC 9457): an answer of the type
  /// `application/problem+json` with a status of 400...599 fails with the `ProblemDetails` underneath.
  public static let problemDetails = ResponseValidator { response in
    guard (400...599).contains(response.statusCode), let problem = ProblemDetails(response: response) else { return }
    throw problem
  }
}
