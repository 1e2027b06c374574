import Dispatch
import Foundation

/// One configuration of a server with its own service and session. A swap makes a new connection, and stops and ends
/// the former one.
final class ServerConnection: Sendable {
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

  /// The secrets to hide, as the service knows them.
  var redaction: Redaction { service.engine.configuration.redaction }

  deinit {
    // A completion may release the last reference on the session's own queue. Foundation's session can't be invalidated
    // on that queue.
    guard isOpen.withLock({ $0 }) else { return }
    DispatchQueue.global(qos: .utility).enqueue { [service] in service.invalidateAndCancel() }
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

  /// Sends the request, and parses the response. Checks on the caller's actor whether the configuration is still current:
  /// the engine checks this when it decodes the response, and the configuration may be swapped after that moment.
  func value<Value: Sendable>(
    of request: Server.OutgoingRequest, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    let result: Result<Value, WebServiceError>
    do throws(WebServiceError) {
      result = .success(try await service.sendRequest(request, parser: parser, isolation: isolation))
    } catch {
      result = .failure(error)
    }
    if let error = swapError(after: result, request.method, request.path) { throw error }
    return try result.get()
  }

  /// The error of a request whose configuration has been swapped; `nil` if the result stays.
  func swapError<Value, Failure>(
    after result: Result<Value, Failure>, _ method: HTTPMethod, _ path: String
  ) -> WebServiceError? {
    if case .failure(let error as WebServiceError) = result, error.kind == .cancelled { return nil }
    guard !isOpen.withLock({ $0 }) else { return nil }
    var error = WebServiceError(
      .cancelled, phase: .deliver, method: method, url: path, attemptCount: 1,
      message: "the server's configuration was swapped meanwhile")
    error.redaction = redaction
    return error
  }

  /// Applies the catcher to an error, or else the configuration's catcher.
  func recovered<Value>(from error: WebServiceError, by catcher: Server.Catcher<Value>?) throws -> Value {
    guard error.kind != .cancelled else { throw error }
    guard let catcher else { throw config.catcher?(error) ?? error }
    return try catcher.recover(error)
  }
}
