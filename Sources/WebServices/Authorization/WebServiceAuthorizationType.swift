import Foundation

/// Which credentials a request needs, and where they go.
public enum WebServiceAuthorizationType: Hashable, Sendable {
  /// None.
  case none
  /// The token manager's token, in the header `api-token`.
  case apiToken
  /// The token manager's token, in a header of this name.
  case header(named: String)
  /// The token manager's token as a bearer token (RFC 6750, section 2.1).
  case bearer
  /// A user and a password of the request's own, for every request anew (RFC 7617). No token manager is asked.
  case basic(user: String, password: String)

  /// Whether the token manager has to be asked before the request is sent.
  public var needsToken: Bool {
    switch self {
    case .none, .basic: false
    case .apiToken, .header, .bearer: true
    }
  }

  /// The header field that carries the credentials, or `nil` where there are none to carry.
  func headerField(token: AccessToken?) -> HTTPHeaders.Field? {
    switch self {
    case .none:
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
}

extension WebServiceAuthorizationType: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The scheme's name, without a credential.
  public var description: String {
    switch self {
    case .none: "none"
    case .apiToken: "api-token"
    case .header(let name): "header \(name)"
    case .bearer: "bearer"
    case .basic: "basic"
    }
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Nothing: a password is no one's to look at.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension WebServiceAuthorizationType {
  /// What must not be read in any description: the header's value and the secret in it.
  func secrets(in field: HTTPHeaders.Field) -> [String] {
    switch self {
    case .none: []
    case .apiToken, .header: [field.value]
    case .bearer: [field.value, String(field.value.dropFirst("Bearer ".count))]
    case .basic(_, let password): [field.value, String(field.value.dropFirst("Basic ".count)), password]
    }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
