/// Requests tokens: the first one, or a replacement.
///
/// ``BasicAuthManager`` asks its source once, however many requests wait for the token. Write a source when one request
/// that renews a token isn't enough, for example to get the first token without a sign-in.
///
/// The article <doc:UsingTokens> has samples.
public protocol TokenSource: Sendable {
  /// Whether the source can get a first token without a sign-in, as with OAuth 2's client credentials (RFC 6749,
  /// section 4.4). `false` unless it is implemented.
  var grantsFirstToken: Bool { get }

  /// Whether the source can replace only a token that came with a refresh token. A token without one is used until it
  /// expires. `false` unless it is implemented.
  var needsRefreshToken: Bool { get }

  /// Requests a token.
  ///
  /// - Parameters:
  ///   - former: the token to replace, with its refresh token. `nil` when nobody is signed in, which happens only if
  ///     ``grantsFirstToken`` is `true`.
  ///   - sender: sends the source's requests through the service whose request needs the token.
  ///   - completion: called once, on any thread, possibly before this method returns. After the manager's timeout the
  ///     call has no effect.
  func requestToken(
    replacing former: AuthenticationInfo?, through sender: TokenSender,
    completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void)

  /// Whether an error of ``requestToken(replacing:through:completion:)`` means that the user has to sign in again. The
  /// manager then signs the user out (see ``BasicAuthManager/onSignOut(_:)``), so that no request of the user is sent
  /// with a first token. `false` unless it is implemented. Where ``grantsFirstToken`` is `true`, a token without a
  /// refresh token is no user's, and the manager doesn't ask.
  func endsSession(_ error: any Error) -> Bool
}

extension TokenSource {
  /// `false`
  public var grantsFirstToken: Bool { false }
  /// `false`
  public var needsRefreshToken: Bool { false }
  /// `false`
  public func endsSession(_ error: any Error) -> Bool { false }
}
