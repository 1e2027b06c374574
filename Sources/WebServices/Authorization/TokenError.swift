public import Foundation

/// Why a manager has no token to give.
public enum TokenError: Error, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// The token has expired or a server has refused it, and there is no other to be had: the manager knows no way to
  /// renew it, or it came from a renewal a moment ago. Where a server has refused it, its 401 is the answer.
  case expired
  /// The answer to the renewal had no token in it.
  case emptyAnswer
  /// The answer to the renewal had a token in it that isn't valid any more.
  case expiredAnswer
  /// The renewal wasn't answered in the time that the manager gives it.
  case renewalTimedOut
  /// The request that was to renew the token asks for a token itself, and would wait for its own end.
  case renewalNeedsToken
  /// The manager was asked without a service, and more than one service was made with it: a guess could send the renewal
  /// to another service's host. Or the service that renewals were set up with is gone. Name a service with
  /// `renewTokens(through:with:)`.
  case noRenewalService
  /// The user signed out while the request waited, or the token belonged to someone who has signed out.
  case signedOut
}

extension TokenError: LocalizedError, CustomStringConvertible {
  /// Why there is no token, in words for developers.
  public var description: String {
    switch self {
    case .notSignedIn: "nobody is signed in"
    case .expired: "the token has expired or was refused, and no other is to be had"
    case .emptyAnswer: "the response to the renewal has no token"
    case .expiredAnswer: "the token in the response to the renewal has expired"
    case .renewalTimedOut: "the renewal of the token took too long"
    case .renewalNeedsToken: "the request that renews the token needs a token itself"
    case .noRenewalService: "no service is named that the renewal is sent through"
    case .signedOut: "the user has signed out"
    }
  }

  /// The same as `description`.
  public var errorDescription: String? { description }
}
