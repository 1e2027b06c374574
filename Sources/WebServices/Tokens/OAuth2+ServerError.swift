extension OAuth2 {
  /// The error of a server that gives tokens by OAuth 2 (RFC 6749, section 5.2). The ``WebServiceError`` of the request
  /// has it underneath.
  public struct ServerError: Error, Hashable, Sendable, Decodable {
    /// The kind of an error. A server may send other kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The text that the server sends.
      public let rawValue: String

      /// Creates a code.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// A parameter is missing, doubled or wrong.
      public static let invalidRequest = Code(rawValue: "invalid_request")
      /// The server doesn't know the client, or the secret is wrong.
      public static let invalidClient = Code(rawValue: "invalid_client")
      /// The code, the password or the refresh token is wrong, expired or revoked.
      public static let invalidGrant = Code(rawValue: "invalid_grant")
      /// The user or the server has refused the sign-in (RFC 6749, section 4.1.2.1).
      public static let accessDenied = Code(rawValue: "access_denied")
    }

    /// The kind of the error.
    public var code: Code
    /// The server's explanation for developers. It isn't checked: show it only if you trust the server.
    public var message: String?
    /// Hides secrets in the description.
    package var redaction = DescriptionRedaction()

    /// Creates an error. Each parameter sets the property of the same name.
    public init(_ code: Code, message: String? = nil) {
      self.code = code
      self.message = message
    }

    private enum CodingKeys: String, CodingKey {
      case code = "error"
      case message = "error_description"
    }

    /// Decodes the error. A message of the wrong type is ignored.
    ///
    /// - Throws: a `DecodingError` without an error code.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        Code(rawValue: try container.decode(String.self, forKey: .code)),
        message: try? container.decode(String.self, forKey: .message))
    }
  }
}

extension OAuth2.ServerError: DescribedByLibrary, DescriptionOnly, OwnRedaction {
  /// The kind alone: a server may repeat a token in its explanation.
  public var description: String { "OAuth2.ServerError \(redaction.value.text(code.rawValue))" }

  /// The kind and the description, without the values that the redaction hides.
  package func description(redaction: Redaction) -> String {
    let text = [code.rawValue, message].compactMap { $0 }.joined(separator: ", ")
    return "OAuth2.ServerError: \(redaction.text(text))"
  }
}

extension ResponseValidator {
  /// Throws an `OAuth2.ServerError` if the body of the response is one. Some servers send errors with the status 200,
  /// and some send an empty error with a token.
  static let oauth2 = ResponseValidator { response in
    let error = try? FeatherJSONDecoder().decode(OAuth2.ServerError.self, from: response.body)
    if let error, !error.code.rawValue.isEmpty { throw error }
  }
}
