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
  /// An app's own scheme, which sees the finished request.
  case custom(RequestSigner)

  /// Whether the token manager has to be asked before the request is sent.
  public var needsToken: Bool {
    switch self {
    case .none, .basic: false
    case .apiToken, .header, .bearer: true
    case .custom(let signer): signer.needsToken
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
    case .custom(let signer): "custom \(signer.name)"
    }
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Nothing: a password is no one's to look at.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
