public import Foundation

/// The reason why a token manager has no token for a request. A ``WebServiceError`` of kind `.token` has this error
/// underneath.
public enum TokenError: Error, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// The token has expired or a server has refused it, and there is no other token. The manager can't renew the token,
  /// or has renewed it a moment ago. A request that a server refused fails with the server's 401.
  case expired
  /// The response to the renewal has no token.
  case emptyResponse
  /// The token in the response to the renewal has expired.
  case expiredResponse
  /// The renewal took longer than the manager's timeout.
  case renewalTimedOut
  /// The request that renews the token needs a token itself, and would wait for its own end.
  case renewalNeedsToken
  /// No service is known for the renewal. The service that renewals were set up with is gone, or the manager has
  /// several services and was asked without one. A guess could send the renewal to another service's host. Name a
  /// service with `renewTokens(through:with:)`.
  case noRenewalService
  /// The user signed out while the request waited, or the token belonged to a user who has signed out.
  case signedOut
}

extension TokenError: LocalizedError, CustomStringConvertible {
  /// The reason in words for developers.
  public var description: String {
    switch self {
    case .notSignedIn: "nobody is signed in"
    case .expired: "the token has expired or was refused, and no other is available"
    case .emptyResponse: "the response to the renewal has no token"
    case .expiredResponse: "the token in the response to the renewal has expired"
    case .renewalTimedOut: "the renewal of the token took too long"
    case .renewalNeedsToken: "the request that renews the token needs a token itself"
    case .noRenewalService: "no service is named for the renewal; use renewTokens(through:from:)"
    case .signedOut: "the user has signed out"
    }
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}
