public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests to a backend with a configuration that you can swap, such as at a sign-in or a sign-out. A swap
/// cancels the requests of the former configuration.
///
/// ```swift
/// extension Server {
///   static let back = Server(with: .init(base: URL(string: "https://backend.example.com")))
/// }
///
/// let response = try await Server.back.request(
///   type: .post, path: "/authorize", send: .json(credentials), take: .json(AuthorizationResponse.self))
/// ```
///
/// The class is open. A subclass can hold a complex configuration, add the backend's own methods, or close methods that
/// the backend lacks. Every form of `request` calls the awaited form. A subclass that overrides or closes the awaited
/// form has overridden or closed them all.
///
/// You may call every method from any thread. A server that is released lets its requests end, then ends its session.
///
/// - Note: All state is behind locks of the library, which the compiler can't see in an open class. A subclass restates
///   `@unchecked Sendable`, and keeps that true by storing only constants of `Sendable` types.
///
/// The article <doc:FollowingTheUser> has samples.
open class Server: @unchecked Sendable {
  // `@unchecked`: an open class can't be checked. The lock of `state` guards everything that changes.

  /// A request method.
  public typealias Method = HTTPMethod
  /// A request of a server with all that the configuration adds, before it is sent: what ``Config/request`` adjusts.
  /// Its path is an absolute URL.
  public typealias OutgoingRequest = Request

  private struct State: Sendable {
    var connection: ServerConnection
    /// The link to the followed source; `nil` for a server that follows none.
    var link: TaskCancellation?
    /// The version of the last change by the followed source.
    var version = 0

    /// Whether a change is newer than the last one and comes from the followed source.
    func accepts(_ change: ServerChange) -> Bool { change.link === link && change.version > version }
  }

  final let identity = ServerIdentity()
  /// Guards all that changes. Requests and the app's closures run without the lock.
  private let state: Locked<State>

  /// Creates a server; nothing is opened before the first request.
  ///
  /// - Parameter config: the first configuration. Its closures `encoder`, `decoder`, `service` and `session` run in
  ///   this call.
  public init(with config: Config) { state = Locked(State(connection: ServerConnection(config))) }

  /// Creates a server that follows a source of identities from the beginning. Nothing is opened before the first
  /// request.
  ///
  /// - Parameters:
  ///   - identities: the source; see ``follow(_:configure:)``.
  ///   - configure: makes the configuration of an identity. Called by this initializer, and on the thread that sets an
  ///     identity.
  public init<Identity>(
    following identities: IdentitySource<Identity>, configure: @escaping @Sendable (Identity) -> Config
  ) {
    let (identity, version) = identities.current
    state = Locked(State(connection: ServerConnection(configure(identity))))
    // An identity that was set since `current` was read has a higher version, and is applied by this call.
    follow(identities, since: version, configure: configure)
  }

  deinit { state.withLock { $0.link }?.cancel() }

  /// The configuration of new requests.
  public final var config: Config { current.config }

  final var current: ServerConnection { state.withLock { $0.connection } }

  /// Swaps the configuration. When this returns, new requests are sent with the new one. Requests of the former one
  /// have been cancelled and its session invalidated, and none of them succeeds any more. Their error is a
  /// ``WebServiceError`` of kind `.cancelled`, and no catcher gets it. An ``IdentitySource`` swaps the configurations
  /// of all its servers before the first request is cancelled.
  ///
  /// - Parameter config: the new configuration. Its closures `encoder`, `decoder`, `service` and `session` run in this
  ///   call.
  open func set(_ config: Config) {
    let change = ServerChange.pending(for: self)
    let next = ServerConnection(config)
    let (former, end) = state.withLock { state in
      if let change {
        // A source that was replaced may report one more identity, and two threads may report two identities in any
        // order.
        guard state.accepts(change) else { return (next, { @Sendable in }) }
        state.version = change.version
      }
      defer { state.connection = next }
      // The former connection is stopped under the lock, so that no work continues with the next configuration while
      // the former one seems open. The inner lock calls nothing.
      return (state.connection, state.connection.service.engine.close())
    }
    withExtendedLifetime(former) { if let change { change.former.set(end) } else { end() } }
  }

  /// The number of requests in progress.
  public final var requestCount: Int { current.service.requestCount }

  // MARK: Identities

  /// Swaps the configuration whenever another identity is set, before ``IdentitySource/set(_:)`` returns. Once the app
  /// knows the new identity, no request is sent with the former one. The configuration of the current identity is set
  /// before this returns. ``init(following:configure:)`` begins with that configuration.
  ///
  /// A server follows one source. The next call replaces that source, which then changes nothing any more.
  ///
  /// - Parameters:
  ///   - identities: the source, which is followed until the server is released. The server doesn't retain it.
  ///   - configure: makes the configuration. Called on the thread that sets the identity.
  public final func follow<Identity>(
    _ identities: IdentitySource<Identity>, configure: @escaping @Sendable (Identity) -> Config
  ) { follow(identities, since: 0, configure: configure) }

  /// Stops following the former source, which changes nothing once this has returned, and starts to follow a new one.
  ///
  /// - Parameter version: the version of the identity for which the configuration was already made.
  private func follow<Identity>(
    _ identities: IdentitySource<Identity>, since version: Int, configure: @escaping @Sendable (Identity) -> Config
  ) {
    let link = TaskCancellation()
    let former = state.withLock { state in
      defer { (state.link, state.version) = (link, version) }
      return state.link
    }
    former?.cancel()
    link.set(
      identities.add { [weak self] identity, version in
        guard let self else { return {} }
        let change = ServerChange(of: self, by: link, version: version)
        // `set` checks again under the lock. This check saves the app's closure from a change that is old already.
        if state.withLock({ $0.accepts(change) }) {
          let config = configure(identity)
          // `set` is open, so a subclass may override it. A task-local value carries the change through the override.
          ServerChange.$current.withValue(change) { set(config) }
        }
        return { change.former.cancel() }
      })
  }

  // MARK: Requests

  /// Sends a request and returns the value of the response. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - type: the method.
  ///   - base: the base URL of the path; `nil` uses the configuration's. If its origin isn't that of the
  ///     configuration's base, the request gets neither the query items of the configuration nor header fields that may
  ///     hold credentials.
  ///   - path: the path, relative to the base; may have a query.
  ///   - timeout: the timeout of the whole response, in seconds; `nil` uses the configuration's.
  ///   - headers: additional header fields. A field replaces the configuration's field of the same name.
  ///   - query: additional query items. An item replaces the configuration's item of the same name. Items are sent in
  ///     the order of their names.
  ///   - send: the body.
  ///   - take: the parser of the response.
  ///   - catcher: maps an error to a value or to another error; `nil` uses the configuration's.
  ///   - isolation: the actor that gets the response. On this actor the server checks whether the request's
  ///     configuration is still current.
  /// - Throws: a ``WebServiceError``, or the error of the catcher.
  open func request<R: Sendable>(
    type: Method, base: URL? = nil, path: String, timeout: TimeInterval? = nil, headers: [String: String] = [:],
    query: [String: String] = [:], send: Send = .void(), take: Take<R>, catch catcher: Catcher<R>? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> R {
    let connection = ServerConnection.pin.flatMap { $0.server === identity ? $0.connection : nil } ?? current
    // Closures of the app run below. A task that such a closure starts isn't pinned, in both forms of `request`.
    return try await ServerConnection.$pin.withValue(nil) {
      do throws(WebServiceError) {
        let request: OutgoingRequest
        do throws(HTTPURL.Invalid) {
          request = try OutgoingRequest(
            type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send, for: connection)
        } catch { throw .badURL(path, of: type, error.reason, redaction: connection.redaction) }
        return try await connection.value(of: request, parser: take.parser, isolation: isolation)
      } catch {
        return try connection.current(connection.recovered(from: error, by: catcher), type, path)
      }
    }
  }

  /// Sends a request with the awaited form, in a Swift task of its own, and passes the value of the response to the
  /// completion. The request goes out with the configuration that the server has now, or not at all.
  ///
  /// - Parameters:
  ///   - type: the method.
  ///   - base: the base URL of the path; `nil` uses the configuration's.
  ///   - path: the path, relative to the base; may have a query.
  ///   - timeout: the timeout of the whole response, in seconds; `nil` uses the configuration's.
  ///   - headers: additional header fields. A field replaces the configuration's field of the same name.
  ///   - query: additional query items. An item replaces the configuration's item of the same name.
  ///   - send: the body.
  ///   - take: the parser of the response.
  ///   - catcher: maps an error to a value or to another error; `nil` uses the configuration's.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once, and never inside this call.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public final func request<R: Sendable>(
    type: Method, base: URL? = nil, path: String, timeout: TimeInterval? = nil, headers: [String: String] = [:],
    query: [String: String] = [:], send: Send = .void(), take: Take<R>, catch catcher: Catcher<R>? = nil,
    callbackQueue: DispatchQueue, completion: @escaping @Sendable (Result<R, any Error>) -> Void
  ) -> WebServiceTask {
    let connection = current
    let cancellation = TaskCancellation()
    let task = Task {
      let result: Result<R, any Error>
      do {
        result = .success(
          try await ServerConnection.$pin.withValue((self.identity, connection)) {
            try await self.request(
              type: type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send,
              take: take, catch: catcher, isolation: nil)
          })
      } catch { result = .failure(error) }
      // Checked on the queue: a cancel or a swap that was complete before the completion runs leaves no success.
      callbackQueue.enqueue {
        completion(
          Result { try connection.current(result.get(), type, path, isCancelled: cancellation.isCancelled) })
      }
    }
    cancellation.set { task.cancel() }
    return WebServiceTask { cancellation.cancel() }
  }

  /// Sends a request with the awaited form, in a Swift task of its own, and passes the value of the response to the
  /// completion on the main queue. The request goes out with the configuration that the server has now, or not at all.
  ///
  /// - Parameters:
  ///   - type: the method.
  ///   - base: the base URL of the path; `nil` uses the configuration's.
  ///   - path: the path, relative to the base; may have a query.
  ///   - timeout: the timeout of the whole response, in seconds; `nil` uses the configuration's.
  ///   - headers: additional header fields. A field replaces the configuration's field of the same name.
  ///   - query: additional query items. An item replaces the configuration's item of the same name.
  ///   - send: the body.
  ///   - take: the parser of the response.
  ///   - catcher: maps an error to a value or to another error; `nil` uses the configuration's.
  ///   - completion: runs exactly once, and never inside this call.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public final func request<R: Sendable>(
    type: Method, base: URL? = nil, path: String, timeout: TimeInterval? = nil, headers: [String: String] = [:],
    query: [String: String] = [:], send: Send = .void(), take: Take<R>, catch catcher: Catcher<R>? = nil,
    completion: @escaping @MainActor (Result<R, any Error>) -> Void
  ) -> WebServiceTask {
    request(
      type: type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send, take: take,
      catch: catcher, callbackQueue: .main, completion: MainQueue.form(of: completion))
  }

  /// Sends a request and returns the bytes of the response. An error status doesn't throw. The configuration's base,
  /// headers, query, timeout, check and catcher don't apply. Cancelling the Swift task cancels the request.
  ///
  /// The request goes out as it is. The library adds the fields that it lacks: `Accept`, `User-Agent`, the
  /// `Content-Type` of a body, and those that every session adds, such as `Host` and `Accept-Encoding`.
  ///
  /// - Parameters:
  ///   - request: the request. The configuration's base, headers and query aren't added to it. Its `timeoutInterval`
  ///     limits the whole response: 60 seconds unless you set it.
  ///   - isolation: the actor that gets the response. On this actor the server checks whether the configuration is
  ///     still current.
  /// - Throws: a ``WebServiceError``.
  open func raw(
    with request: URLRequest, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (Data, URLResponse) {
    let (response, data) = try await current.value(
      of: OutgoingRequest(request), parser: Take.response(with: .data()).parser, isolation: isolation)
    return (data, response)
  }
}

extension Server.OutgoingRequest {
  /// Makes a request of a `URLRequest`.
  init(_ request: URLRequest) {
    let transport = TransportRequest(request)
    self.init(request.url?.absoluteString ?? "", transport.method, headers: transport.headers)
    options = RequestOptions { $0.timeout = transport.timeouts.idle }
    let type = headers["Content-Type"] ?? "application/octet-stream"
    let content = transport.body
    if case .none = content { return }
    body = RequestBody(contentType: type, isReplayable: content.isReplayable) { _ in content }
  }
}
