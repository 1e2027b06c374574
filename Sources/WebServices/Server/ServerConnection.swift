import Dispatch
import Foundation

/// One configuration of a server at work: the service and the session that are its own, until it is swapped.
final class ServerConnection: Sendable {
  typealias Described = Result<Server.OutgoingRequest, WebServiceError>

  let config: Server.Config
  let service: JsonWebService
  private let isOpen = Locked(true)

  init(_ config: Server.Config) {
    self.config = config
    service = JsonWebService(
      session: config.session?(), tokenManager: NoTokenManager(), reachability: config.reachability,
      configuration: config.engineConfiguration)
  }

  deinit {
    // The last reference may go with a completion, on a queue of the session's own, where Foundation's can't be ended.
    guard isOpen.withLock({ $0 }) else { return }
    DispatchQueue.global(qos: .utility).async { [service] in service.invalidateAndCancel() }
  }

  /// Takes no more requests. From here on, no request of this configuration ends as a success.
  ///
  /// - Returns: the requests that are to be ended.
  func stop() -> [RequestRun] {
    isOpen.withLock { $0 = false }
    return service.engine.registry.close()
  }

  /// Cancels the requests that there were when it was stopped, and invalidates the session.
  func end(_ runs: [RequestRun]) {
    service.engine.end(runs, invalidatingInjectedSession: true)
  }

  // MARK: The way out

  func describe(
    _ type: HTTPMethod, _ base: URL?, _ path: String, _ timeout: TimeInterval?, _ headers: [String: String],
    _ query: [String: String], _ send: Server.Send
  ) -> Described {
    Result { () throws(WebServiceError) in
      try Server.OutgoingRequest(
        type, base: base, path: path, timeout: timeout, headers: headers, query: query, send: send, config: config)
    }
  }

  func send<Value>(
    _ request: Described, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    switch request {
    case .success(let request):
      service.sendRequest(request, parser: parser, callbackQueue: callbackQueue, completion: completion)
    case .failure(let error):
      WebServiceTask.unsent(error, on: callbackQueue, completion: completion)
    }
  }

  func result<Value>(of request: Described, parser: ResponseParser<Value>) async -> Result<Value, WebServiceError> {
    do throws(WebServiceError) {
      return .success(try await service.sendRequest(request.get(), parser: parser))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Delivery

  /// The result, unless the configuration has been swapped since. The engine checks this too, but where it decodes,
  /// which may be a moment before the caller continues.
  func current<Value>(
    _ result: Result<Value, WebServiceError>, of request: Described
  ) -> Result<Value, WebServiceError> {
    guard !isOpen.withLock({ $0 }), result.error?.kind != .cancelled else { return result }
    return .failure(
      WebServiceError(
        WebServiceError.Details(
          kind: .cancelled, phase: .deliver, method: request.value?.method ?? .get, url: request.value?.path ?? "",
          attemptCount: 1, message: "the server's configuration was swapped meanwhile", response: nil, underlying: nil,
          redaction: config.redaction)))
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
