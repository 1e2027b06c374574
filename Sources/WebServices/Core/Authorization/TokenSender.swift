/// Sends the requests with which a ``TokenSource`` gets a token. The manager passes a sender to
/// ``TokenSource/requestToken(replacing:through:completion:)``.
///
/// The requests skip the cache, the limits and the circuit breaker. They are cancelled when the manager's timeout ends
/// or the user signs out.
public struct TokenSender: Sendable {
  /// Returns the service for a request to this path.
  let route: @Sendable (_ path: String) throws(TokenError) -> any JsonWebServiceable
  /// Cancels the request that was sent last.
  let cancellation: TaskCancellation
}

extension TokenSender {
  /// Creates a sender that uses one service, to test a source.
  ///
  /// - Parameter service: sends every request. The sender retains it.
  public init(_ service: any JsonWebServiceable) {
    self.init(route: { _ in service }, cancellation: TaskCancellation())
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
  ) { send(requestData, parser: ResponseParser<Model>.json(), completion: completion) }

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
