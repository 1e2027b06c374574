public import Dispatch

/// Sends requests and hands back decoded models.
///
/// Use the shared instance, or make your own. What a request passes through, in this order: it is described, admitted
/// by the network, authorized with a fresh token, sent, its answer judged and read, and the result delivered. The
/// completion runs exactly once whatever happens, and never inside the call that started it. Where the callback queue runs on
/// another thread, the completion may begin before that call has returned.
///
/// Every method may be called from any thread.
public final class JsonWebService: JsonWebServiceable, AuthorizedRequestsCancelling {
  private static let sharedInstance = Locked<JsonWebService?>(nil)

  let engine: Engine

  /// The instance that `resetSharedInstance` made last, or one with all defaults.
  public static var shared: JsonWebService {
    sharedInstance.withLock { instance in
      let shared = instance ?? JsonWebService()
      instance = shared
      return shared
    }
  }

  /// Puts a new instance in the place of `shared`. What the former one has in flight ends as cancelled, each request
  /// exactly once, and nothing of it is delivered as a success afterwards.
  ///
  /// - Parameters:
  ///   - session: what sends; `nil` means a session of the service's own (see `init`).
  ///   - tokenManager: what provides tokens.
  ///   - reachability: what tells whether there is a network.
  ///   - configuration: what all requests have in common.
  public static func resetSharedInstance(
    session: (any URLSessionProtocol)? = nil,
    tokenManager: any WebServiceTokenManageable = BasicAuthManager.shared,
    reachability: any ReachabilityCheckable = NetworkReachability.shared,
    configuration: WebServiceConfiguration = WebServiceConfiguration()
  ) {
    let instance = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
    let (former, runs) = sharedInstance.withLock { shared in
      defer { shared = instance }
      // Closed in the same step, so that no work goes on through the new instance while the former one seems open.
      return (shared, shared?.engine.registry.close() ?? [])
    }
    former?.engine.end(runs, invalidatingInjectedSession: false)
  }

  /// Creates an instance of one's own.
  ///
  /// - Parameters:
  ///   - session: what sends. `nil` means a session that is made for this service and invalidated with it; one that is
  ///     given belongs to who made it.
  ///   - tokenManager: what provides tokens.
  ///   - reachability: what tells whether there is a network.
  ///   - configuration: what all requests have in common.
  public init(
    session: (any URLSessionProtocol)? = nil,
    tokenManager: any WebServiceTokenManageable = BasicAuthManager.shared,
    reachability: any ReachabilityCheckable = NetworkReachability.shared,
    configuration: WebServiceConfiguration = WebServiceConfiguration()
  ) {
    engine = Engine(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
    engine.setService(self)
    tokenManager.attach(to: self)
  }

  init(engine: Engine) {
    self.engine = engine
  }

  /// Ends every request that carries or waits for a token as cancelled, each exactly once, and leaves the others alone.
  /// When this has returned, none of them is delivered as a success any more, and what they began doesn't go on: no
  /// download is resumed, no event stream reconnects, no stored response is refreshed, no next page is asked for. It is
  /// what a sign-out needs.
  public func cancelAuthorizedRequests() {
    engine.cancelAuthorizedRequests()
  }

  package var authorizedRequests: any AuthorizedRequestsCancelling { engine }

  /// How many requests are on their way.
  public var requestCount: Int { engine.registry.count }

  /// Ends every request as cancelled and invalidates the session, also one that was injected. Later requests fail as
  /// cancelled.
  public func invalidateAndCancel() {
    engine.shutDown(invalidatingInjectedSession: true)
  }

  /// Sends a request and hands what the parser makes of the answer to the completion, on a queue of the caller's, where
  /// it is parsed too; beside it where that is the main queue.
  ///
  /// - Parameters:
  ///   - requestData: the request; it is described on this thread, before this returns.
  ///   - parser: makes the value.
  ///   - callbackQueue: where the completion runs.
  ///   - completion: runs exactly once.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    let queue = CallbackQueue(callbackQueue)
    let delivery = RequestRun.Delivery { run, outcome in
      queue.deliver {
        run.read(outcome, with: parser)
      } to: { result in
        if let result = run.claim(result) { completion(result) }
      }
    }
    let run = RequestRun(requestData, accept: parser.accept, engine: engine, delivery: delivery)
    return WebServiceTask(run.start(), in: engine.registry)
  }

  /// Sends a request and returns what the parser makes of the answer, in the Swift task that waits for it; cancelling
  /// that task cancels the request.
  ///
  /// - Parameters:
  ///   - requestData: the request.
  ///   - parser: makes the value.
  ///   - isolation: the caller's actor. Whether the answer still counts is asked there, behind the last wait: a caller
  ///     that has reset the service meanwhile gets none from before.
  public func sendRequest<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    let (run, result) = await read(requestData, parser: parser)
    return try run.claimed(result)
  }

  /// Waits for the answer and reads it, away from the caller's actor.
  private func read<Value>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>
  ) async -> (RequestRun, Result<Value, WebServiceError>) {
    let run = RequestRun(requestData, accept: parser.accept, engine: engine)
    return (run, run.read(await run.outcome(), with: parser))
  }
}
