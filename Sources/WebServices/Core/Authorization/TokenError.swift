/// The reason why a request has no credentials: its token manager has no token, or the credentials can't be sent. A
/// ``WebServiceError`` of kind `.token` has this error underneath.
public enum TokenError: DescribedByLibrary, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// The token has expired or a server has refused it, and there is no other token. The manager can't renew the token,
  /// or has renewed it a moment ago. A request that a server refused fails with the server's 401.
  case expired
  /// The response to the renewal has no token.
  case emptyResponse
  /// The renewal took longer than the manager's timeout.
  case renewalTimedOut
  /// The request that renews the token needs a token itself, and would wait for its own end.
  case renewalNeedsToken
  /// No service is known for the renewal. The named service is gone, or the renewal has a relative URL and services of
  /// several origins have this manager. A guess could send the refresh token to the wrong host. Name the service:
  /// `manager.renewTokens(through: service, from: source)`.
  case noRenewalService
  /// The user signed out while the request waited, or the token belonged to a user who has signed out.
  case signedOut
  /// The user's name has a colon: the part behind it would belong to the password (RFC 7617, section 2).
  case colonInUser
  /// A credential's header field has an invalid name, or a control character in its value.
  case notSendable(name: String)

  /// The reason in words for developers.
  public var description: String {
    switch self {
    case .notSignedIn: "nobody is signed in"
    case .expired: "the token has expired or was refused, and no other is available"
    case .emptyResponse: "the response to the renewal has no token"
    case .renewalTimedOut: "the renewal of the token took too long"
    case .renewalNeedsToken: "the request that renews the token needs a token itself"
    case .noRenewalService:
      "the service for the renewal isn't known; name it: manager.renewTokens(through: service, from: source)"
    case .signedOut: "the user has signed out"
    case .colonInUser: "the user name contains a colon, which Basic credentials don't allow"
    case .notSendable(let name): "the header field \(name) of the credentials can't be sent"
    }
  }
}
