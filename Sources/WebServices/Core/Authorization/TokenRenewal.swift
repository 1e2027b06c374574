/// A renewal in progress. Its identity tells it from other renewals of the same token.
final class TokenRenewal: Sendable {
  /// How the app has set up renewals. The properties of the source are read once, because they are an app's code, which
  /// must not run with the manager's lock held.
  struct Setup: Sendable {
    let source: any TokenSource
    let grantsFirstToken: Bool
    let needsRefreshToken: Bool
    /// Whether the app has named a service for renewals. Another service has another host, so it is no substitute.
    let hasNamedService: Bool
    weak var namedService: (any JsonWebServiceable)?

    init(_ source: any TokenSource, through service: (any JsonWebServiceable)? = nil) {
      self.source = source
      grantsFirstToken = source.grantsFirstToken
      needsRefreshToken = source.needsRefreshToken
      hasNamedService = service != nil
      namedService = service
    }
  }

  let setup: Setup
  /// The token to replace; `nil` when the first token is requested.
  let former: AuthenticationInfo?
  /// Whether the token to replace is a user's. A source that grants first tokens granted a token without refresh token
  /// itself.
  var isOfUser: Bool { former.map { $0.refreshToken != nil || !setup.grantsFirstToken } ?? false }
  /// The named service, or the service whose request asked first. It is retained, because the app may have released a
  /// service whose request waits.
  let service: (any JsonWebServiceable)?
  /// Cancels the timeout of the renewal, and the request that was sent last.
  let cancellation = TaskCancellation()

  init(of former: AuthenticationInfo?, by setup: Setup, through service: (any JsonWebServiceable)?) {
    self.setup = setup
    self.former = former
    self.service = setup.hasNamedService ? setup.namedService : service
  }
}
