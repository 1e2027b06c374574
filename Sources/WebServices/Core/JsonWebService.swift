public import Foundation
public import WebServicesTransport

/// Sends requests and delivers decoded models.
///
/// ```swift
/// let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: url))
/// let joke = try await service.sendRequest(RequestDataForJoke(id: 7), as: Joke.self)
/// service.sendRequest(RequestDataForJoke(id: 7)) { (result: WebServiceResult<Joke>) in … }
/// ```
///
/// Use the shared instance, or make your own. A request passes seven stations in this order: describe, admit,
/// authorize, send, judge, read, deliver. The completion runs exactly once whatever happens, and never inside the call
/// that started the request. If the callback queue runs on another thread, the completion may begin before that call
/// has returned.
///
/// A request retains what it needs. If you release a service, its requests in progress continue, and each completion
/// runs. The service's own session ends with the last of them. To end them at once, call ``invalidateAndCancel()``.
///
/// You may call every method from any thread.
///
/// The articles <doc:DescribingRequests> and <doc:ReadingResponses> have samples.
public final class JsonWebService: JsonWebServiceable, DescriptionOnly {
  /// Guards `shared`, which any thread may read while another one resets it.
  private static let sharedInstance = Locked<JsonWebService?>(nil)

  package let engine: Engine

  /// The instance that ``resetSharedInstance(session:tokenManager:reachability:configuration:)`` made last, or an
  /// instance with all defaults.
  public static var shared: JsonWebService {
    sharedInstance.withLock { instance in
      let shared = instance ?? JsonWebService()
      instance = shared
      return shared
    }
  }

  /// Replaces ``shared`` by a new instance. The requests of the former instance are cancelled, each exactly once. No
  /// such request is delivered as a success afterwards.
  ///
  /// - Parameters:
  ///   - session: sends the requests; `nil` to make a session for the service (see
  ///     ``init(session:tokenManager:reachability:configuration:)``).
  ///   - tokenManager: provides tokens. Services without a manager of their own share one, and its token.
  ///   - reachability: tells whether there is a network.
  ///   - configuration: applies to all requests.
  public static func resetSharedInstance(
    session: (any URLSessionProtocol)? = nil, tokenManager: any WebServiceTokenManageable = BasicAuthManager.shared,
    reachability: any ReachabilityCheckable = NetworkReachability.shared,
    configuration: WebServiceConfiguration = WebServiceConfiguration()
  ) {
    let instance = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
    let (former, end) = sharedInstance.withLock { shared in
      defer { shared = instance }
      // The former instance is closed in the same step, so that no work continues through the new one while the former
      // seems open.
      return (shared, shared?.engine.close())
    }
    // After unlocking: `cancel()` of an injected session is an app's code, which may read `shared`.
    withExtendedLifetime(former) { end?() }
  }

  /// Creates an instance.
  ///
  /// - Parameters:
  ///   - session: sends the requests; it stays yours. `nil` to make a session for the service and invalidate both
  ///     together.
  ///   - tokenManager: provides tokens. Services without a manager of their own share one, and its token.
  ///   - reachability: tells whether there is a network.
  ///   - configuration: applies to all requests.
  public init(
    session: (any URLSessionProtocol)? = nil, tokenManager: any WebServiceTokenManageable = BasicAuthManager.shared,
    reachability: any ReachabilityCheckable = NetworkReachability.shared,
    configuration: WebServiceConfiguration = WebServiceConfiguration()
  ) {
    engine = Engine(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
    engine.state.withLock { $0.service = self }
    // Without this call, a sign-out at the manager would cancel none of the requests.
    tokenManager.attach(to: self)
  }

  init(engine: Engine) { self.engine = engine }

  /// Cancels every request that carries or waits for a token of the token manager, each exactly once. Call this when a
  /// user signs out, after your manager has forgotten the token and before it gives out the next user's. With the layer
  /// `.cookies(_:)` every request is cancelled.
  ///
  /// After the call none of these requests is delivered as a success, and none continues. No download is resumed, no
  /// event stream reconnects, no stored response is refreshed, and no further page is requested. Other requests
  /// continue.
  public func cancelAuthorizedRequests() {
    let cancelRequests = engine.endIdentity()
    cancelRequests()
  }

  /// The number of requests in progress.
  public var requestCount: Int { engine.requestCount }

  /// Takes no new requests, waits until the requests in progress have ended, and closes the service with its own
  /// session. An injected session stays open. Call this before a server or a tool exits.
  ///
  /// A request that hasn't ended in time is cancelled. A refused request fails with an error of kind `.sessionFailure`,
  /// whose underlying ``TransportError`` has the kind `.invalidated`. Renewals of tokens are still sent for the
  /// requests in progress, as are all requests that set ``RequestOptions/bypassesLimits``. The last completion may run
  /// a moment after this method has returned.
  ///
  /// - Parameter seconds: how long the requests may take. Cancelling the Swift task ends the wait at once.
  public func shutDown(within seconds: TimeInterval) async { await engine.shutDown(within: seconds) }

  /// Cancels every request and invalidates the session, an injected one too. Later requests fail as cancelled. If other
  /// services have the same `URLSession`, end them first: Foundation ends the process if the session is used again.
  public func invalidateAndCancel() { engine.close(invalidatingInjectedSession: true)() }

  /// Sends a request and passes the parser's value to the completion.
  ///
  /// - Parameters:
  ///   - requestData: the request. The library reads it on this thread, before this call returns.
  ///   - parser: makes the value, on the callback queue. If that is the main queue, the parser runs on another thread,
  ///     but a model of the main actor is decoded on the main actor.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    if let exchange = parser.exchange {
      return exchange(requestData, engine, callbackQueue) { lastStep in completion(lastStep().map { $0.value }) }
    }
    let run = RequestRun(requestData, accept: parser.accept, engine: engine)
    let (reading, completing) = callbackQueue.hops(readingOnMainActor: parser.isOfMainActor)
    let slot = run.start { run, outcome in
      reading.enqueue {
        let result = run.read(outcome, with: parser)
        guard let completing else { return run.complete(with: result, completion) }
        completing.enqueue { run.complete(with: result, completion) }
      }
    }
    return WebServiceTask(slot, in: engine)
  }

  /// Sends a request and returns the parser's value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value of the response.
  ///   - isolation: the caller's actor. The response is claimed there after the last wait, so a caller that has reset
  ///     the service meanwhile gets no earlier response.
  /// - Throws: a ``WebServiceError``.
  public func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    // A task that is cancelled already sends nothing, as below.
    if let exchange = parser.exchange, !Task.isCancelled {
      let lastStep = await awaited { exchange(requestData, engine, .global(), $0) }
      // On the caller's actor, and after the last wait too.
      return try lastStep().get().value
    }
    let run = RequestRun(requestData, accept: parser.accept, engine: engine)
    let result = await read(run, with: parser, on: parser.isOfMainActor ? MainActor.shared : nil)
    // An interruption that came while the value was made replaces the result.
    return try run.end(with: result).get()
  }

  /// Waits for the response and reads it on an actor, or away from the caller's for `nil`.
  private func read<Value: Sendable>(
    _ run: RequestRun, with parser: ResponseParser<Value>, on actor: isolated (any Actor)?
  ) async -> Result<Value, WebServiceError> { run.read(await run.outcome(), with: parser) }

  /// The configuration. Requests in progress and the token manager aren't shown.
  public var description: String { "JsonWebService(\(engine.configuration))" }
}
