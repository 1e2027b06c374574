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
  /// manager then signs the user out (see ``BasicAuthManager/onSignOut(_:)``). `false` unless it is implemented.
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

/// Sends the requests with which a ``TokenSource`` gets a token. The manager passes a sender to
/// ``TokenSource/requestToken(replacing:through:completion:)``.
///
/// The requests skip the cache, the limits and the circuit breaker. They are cancelled when the manager's timeout ends
/// or the user signs out.
public struct TokenSender: Sendable {
  /// Returns the service for a request to this path.
  typealias Route = @Sendable (_ path: String) throws(TokenError) -> any JsonWebServiceable

  private let route: Route
  /// Cancels the request that was sent last.
  private let cancellation: TaskCancellation

  /// Creates a sender that uses one service, to test a source.
  ///
  /// - Parameter service: sends every request. The sender retains it.
  public init(_ service: any JsonWebServiceable) {
    self.init(cancellation: TaskCancellation()) { _ in service }
  }

  init(cancellation: TaskCancellation, route: @escaping Route) {
    self.route = route
    self.cancellation = cancellation
  }

  /// Sends a request and decodes its JSON response, as the form with a parser does.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - type: the model of the response. An empty body fails with ``TokenError/emptyResponse``.
  ///   - completion: called once, on any thread.
  public func send<Model: Decodable & Sendable>(
    _ requestData: some WebServiceRequestData, as type: Model.Type = Model.self,
    completion: @escaping @Sendable (Result<Model, any Error>) -> Void
  ) {
    send(requestData, parser: ResponseParser<Model>.json(), completion: completion)
  }

  /// Sends a request and reads its response, whose status has to be one of 200...299 whatever the configuration's
  /// validators accept. Send the next request after the completion has run.
  ///
  /// - Parameters:
  ///   - requestData: the request. If it needs a token, it fails with ``TokenError/renewalNeedsToken``: it would wait
  ///     for its own end.
  ///   - parser: makes the value of the response. An empty body fails with ``TokenError/emptyResponse``.
  ///   - completion: called once, on any thread.
  public func send<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    var data = Request(requestData)
    // Requests that wait for the token hold permits of the limiters: a renewal that needed a permit could wait for
    // ever.
    data.options.bypassesLimits = true
    // The configuration's validators may accept any status, for an app that tells the statuses apart itself.
    data.options.validators.append(.successfulStatus)
    do throws(TokenError) {
      guard !data.authorization.needsToken else { throw .renewalNeedsToken }
      // Set before the request is sent: its completion may send the next request before this call returns.
      let request = TaskCancellation()
      cancellation.set { request.cancel() }
      // An app's storage and the waiters continue on this queue, and may block it. It isn't serial: the storage of one
      // manager must not delay another manager.
      let task = try route(data.path).sendRequest(
        data, parser: parser.optional(), callbackQueue: UserCallbackQueue.shared
      ) { result in
        completion(
          result.mapError { $0 as any Error }.flatMap { $0.map(Result.success) ?? .failure(TokenError.emptyResponse) })
      }
      request.set { task.cancel() }
    } catch { completion(.failure(error)) }
  }
}

extension BasicAuthManager {
  /// A source that renews a token with one request.
  public struct RenewalSource: TokenSource {
    let parser: ResponseParser<AuthenticationInfo>
    let request: @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData

    /// Requests the next token.
    ///
    /// - Parameters:
    ///   - former: the token to replace. With `nil` the completion gets `TokenError.notSignedIn`.
    ///   - sender: sends the request that the source's closure makes.
    ///   - completion: called once, on any thread, possibly before this method returns.
    public func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      guard let former else { return completion(.failure(TokenError.notSignedIn)) }
      sender.send(request(former), parser: parser, completion: completion)
    }
  }
}

extension TokenSource where Self == BasicAuthManager.RenewalSource {
  /// Renews a token with one request, for a service that gives refresh tokens.
  ///
  /// One renewal at a time uses a refresh token, and none does after a response has brought another. A response without
  /// a refresh token means that the former one stays in use.
  ///
  /// - Parameter request: makes the request, on the thread that first needs a new token. Its response is an
  ///   ``AuthenticationInfo``; its authorization must need no token.
  public static func refreshToken(
    _ request: @escaping @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData
  ) -> BasicAuthManager.RenewalSource {
    BasicAuthManager.RenewalSource(parser: .json(), request: request)
  }

  /// Renews a token with one request whose response is a model of your own.
  ///
  /// ```swift
  /// .refreshToken(as: Renewed.self) { RequestDataForRefresh(token: $0) } info: { $0.info }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the model of the response.
  ///   - request: makes the request, as above.
  ///   - info: makes the token of the response. If it throws, the renewal fails.
  public static func refreshToken<Model: Decodable & Sendable>(
    as type: Model.Type, _ request: @escaping @Sendable (_ token: AuthenticationInfo) -> any WebServiceRequestData,
    info: @escaping @Sendable (_ response: Model) throws -> AuthenticationInfo
  ) -> BasicAuthManager.RenewalSource {
    BasicAuthManager.RenewalSource(parser: ResponseParser.json(type).map(info), request: request)
  }
}
