import Foundation

extension WebServiceAuthorizationType {
  /// The header fields that carry the credentials, each to take the place of the request's own of its name; empty where
  /// there are none to carry. All of them can be sent.
  ///
  /// - Parameters:
  ///   - request: the request without credentials: those of a former token or a former URL are to be removed before.
  ///   - token: the token manager's; `nil` only where `needsToken` is false.
  /// - Throws: a `CredentialsError`, or what an app's own scheme throws.
  func credentials(for request: TransportRequest, token: AccessToken?) throws -> [HTTPHeaders.Field] {
    guard !needsToken || token != nil else { throw CredentialsError.noToken }
    let fields: [HTTPHeaders.Field]
    switch self {
    case .none, .apiToken, .header, .bearer:
      fields = headerField(token: token).map { [$0] } ?? []
    case .basic(let user, _):
      guard !user.utf8.contains(UInt8(ascii: ":")) else { throw CredentialsError.colonInUser }
      fields = headerField(token: nil).map { [$0] } ?? []
    case .custom(let signer):
      fields = try signer.sign(RequestToSign(request), token: token).fields
    }
    if let field = HTTPHeaders(fields).firstInvalidField {
      throw CredentialsError.notSendable(name: field.name)
    }
    return fields
  }

  /// Whether the credentials are made for one method, URL and body, so that a redirect within the origin needs others.
  var isBoundToRequest: Bool {
    if case .custom = self { true } else { false }
  }

  /// What must not be read in any description: the fields' values and the secrets in them.
  func secrets(in fields: [HTTPHeaders.Field]) -> [String] {
    fields.flatMap(secrets(in:))
  }

  /// The header field that carries the credentials of a scheme that has one, or `nil` where there are none to carry.
  func headerField(token: AccessToken?) -> HTTPHeaders.Field? {
    switch self {
    case .none, .custom:
      nil
    case .apiToken:
      token.map { HTTPHeaders.Field(name: "api-token", value: $0.value) }
    case .header(let name):
      token.map { HTTPHeaders.Field(name: name, value: $0.value) }
    case .bearer:
      token.map { HTTPHeaders.Field(name: "Authorization", value: "Bearer \($0.value)") }
    case .basic(let user, let password):
      HTTPHeaders.Field(name: "Authorization", value: "Basic \(Self.base64("\(user):\(password)"))")
    }
  }

  /// What must not be read in any description: the header's value and the secret in it.
  func secrets(in field: HTTPHeaders.Field) -> [String] {
    switch self {
    case .none: []
    case .apiToken, .header: [field.value]
    case .bearer: [field.value, String(field.value.dropFirst("Bearer ".count))]
    case .basic(_, let password): [field.value, String(field.value.dropFirst("Basic ".count)), password]
    case .custom: [field.value] + Self.parts(of: field.value)
    }
  }

  /// What stands behind a scheme's name, and each parameter's value (`Digest response="6629fae4", opaque="5ccc069c"`,
  /// RFC 9110, section 11.4): a server may repeat one alone.
  private static func parts(of value: String) -> [String] {
    let parameters = value.split(separator: " ", maxSplits: 1).dropFirst().first ?? ""
    let values = parameters.split(separator: ",").compactMap { parameter in
      parameter.split(separator: "=", maxSplits: 1).dropFirst().first
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"")) }
    }
    return ([String(parameters)] + values).filter { !$0.isEmpty }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
