import Dispatch
import Foundation

/// One configuration of a server with its own service and session. A swap makes a new connection, and stops and ends
/// the former one.
final class ServerConnection: Sendable {
  typealias Described = Result<Server.OutgoingRequest, WebServiceError>

  let config: Server.Config
  let service: JsonWebService
  /// Whether the configuration is current. Set to `false` once.
  private let isOpen = Locked(true)

  init(_ config: Server.Config) {
    self.config = config
    service = JsonWebService(
      session: config.session?(), tokenManager: NoTokenManager(), reachability: config.reachability,
      configuration: config.engineConfiguration)
  }

  deinit {
    // A completion may release the last reference on the session's own queue. Foundation's session can't be invalidated
    // on that queue.
    guard isOpen.withLock({ $0 }) else { return }
    DispatchQueue.global(qos: .utility).async { [service] in service.invalidateAndCancel() }
  }

  /// Refuses further requests. From here on, no request of this configuration ends as a success. Returns at once, and
  /// calls nothing outside the library.
  ///
  /// - Returns: the requests for `end`.
  func stop() -> [RequestRun] {
    isOpen.withLock { $0 = false }
    return service.engine.registry.close()
  }

  /// Cancels the requests that `stop` returned, and invalidates the session. Call this without a lock, because sessions
  /// are the app's code.
  func end(_ runs: [RequestRun]) {
    service.engine.end(runs, invalidatingInjectedSession: true)
  }

  // MARK: Pinning

  /// The server and the connection that requests of this Swift task use. A `request` with a completion sets both before
  /// it calls the awaited `request`, which a subclass may override.
  @TaskLocal private static var pin: (server: ObjectIdentifier, connection: ServerConnection)?

  /// The connection that this Swift task has to use; `nil` unless a `request` with a completion of this server has
  /// started the task.
  static func pinned(by server: Server) -> ServerConnection? {
    pin.flatMap { $0.server == ObjectIdentifier(server) ? $0.connection : nil }
  }

  /// Runs an operation in which the server's requests use this connection, also after the configuration was swapped.
  func pinned<Value: Sendable>(
    for server: Server, _ operation: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await Self.$pin.withValue((ObjectIdentifier(server), self), operation: operation)
  }

  // MARK: Sending

  /// Makes the request that the service sends. A failure means that the arguments make no request.
  func describe(
    _ type: HTTPMethod, _ base: URL?, _ path: String, _ timeout: TimeInterval?, _ headers: [String: String],
    _ query: [String: String], _ send: Server.Send
  ) -> Described {
    Result { () throws(WebServiceError) in
      try Server.OutgoingRequest(
        type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send, config: config)
    }
  }

  /// Sends the request, and parses the response.
  func result<Value: Sendable>(of request: Described, parser: ResponseParser<Value>) async -> Result<
    Value, WebServiceError
  > {
    do throws(WebServiceError) {
      return .success(try await service.sendRequest(request.get(), parser: parser))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Delivery

  /// The result, unless the configuration has been swapped since. The engine checks this too, when it decodes the
  /// response. The configuration may be swapped between that moment and the caller's next step.
  func unlessSwapped<Value>(
    _ result: Result<Value, WebServiceError>, of request: Described
  ) -> Result<Value, WebServiceError> {
    guard !isOpen.withLock({ $0 }), result.error?.kind != .cancelled else { return result }
    return .failure(swapped(request.value?.method ?? .get, request.value?.path ?? ""))
  }

  /// The result of an awaited form that a subclass may have overridden, unless the configuration has been swapped
  /// since.
  func unlessSwapped<Value>(
    _ result: Result<Value, any Error>, _ method: HTTPMethod, _ path: String
  ) -> Result<Value, any Error> {
    if case .failure(let error as WebServiceError) = result, error.kind == .cancelled { return result }
    return isOpen.withLock({ $0 }) ? result : .failure(swapped(method, path))
  }

  /// The error of a request whose configuration has been swapped.
  private func swapped(_ method: HTTPMethod, _ path: String) -> WebServiceError {
    var error = WebServiceError(
      .cancelled, phase: .deliver, method: method, url: path, attemptCount: 1,
      message: "the server's configuration was swapped meanwhile")
    error.redaction = config.redaction
    return error
  }

  /// Applies the catcher to an error, or else the configuration's catcher.
  func caught<Value>(
    _ result: Result<Value, WebServiceError>, by catcher: Server.Catcher<Value>?
  ) -> Result<Value, any Error> {
    switch result {
    case .success(let value):
      return .success(value)
    case .failure(let error) where error.kind == .cancelled:
      return .failure(error)
    case .failure(let error):
      guard let catcher else { return .failure(config.catcher?(error) ?? error) }
      return Result { try catcher.recover(error) }
    }
  }
}
