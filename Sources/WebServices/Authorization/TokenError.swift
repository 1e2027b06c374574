/// Why a manager has no token to give.
public enum TokenError: Error, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// The token has expired, and the manager knows no way to renew it.
  case expired
  /// The server refused the token, and there is no other to send in its place: the manager knows no way to renew it, or
  /// the token came from a renewal a moment ago.
  case refused
  /// The answer to the renewal had no token in it.
  case emptyAnswer
  /// The answer to the renewal had a token in it that isn't valid any more.
  case expiredAnswer
  /// The renewal wasn't answered in the time that the manager gives it.
  case renewalTimedOut
  /// The request that was to renew the token asks for a token itself, and would wait for its own end.
  case renewalNeedsToken
  /// The user signed out while the request waited, or the token belonged to someone who has signed out.
  case signedOut
}
