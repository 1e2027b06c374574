public import Foundation

/// Sends the requests of resources that need no authorization. Create an accessor with a service, then call
/// ``ResourceAccessing/access(_:with:on:)``.
public typealias ResourceAccessor = AuthenticatedAccessor<NoAuth>

/// Sends the requests of resources that require one kind of authorization. The service's token manager provides the
/// token. Create an accessor for each kind, then call ``ResourceAccessing/access(_:with:on:)``.
public struct AuthenticatedAccessor<Auth: BackendAuth>: AuthenticatedAccessible {
  private let service: any JsonWebServiceable
  private let environment: BackendEnvironment

  /// Creates an accessor.
  ///
  /// - Parameters:
  ///   - service: the service that sends the requests.
  ///   - environment: the base URLs of the backends.
  public init(service: any JsonWebServiceable, environment: BackendEnvironment) {
    self.service = service
    self.environment = environment
  }

  /// Accesses a resource and passes its value to the completion.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - callbackQueue: the queue for the completion.
  ///   - completion: runs exactly once, never inside this call. If the environment lacks the backend, the error has the
  ///     kind `.badURL`.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    do {
      let data = try self.data(of: resource, with: request)
      return service.sendRequest(data, parser: resource.parser, callbackQueue: callbackQueue, completion: completion)
    } catch {
      callbackQueue.enqueue { completion(.failure(error)) }
      return WebServiceTask()
    }
  }

  /// Accesses a resource and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - request: the value to send.
  ///   - isolation: the caller's actor, on which the service checks that the user is still signed in.
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Response {
    try await service.sendRequest(
      data(of: resource, with: request), parser: resource.parser, isolation: isolation)
  }

  /// Makes a request for the service from a resource and the value to send.
  private func data<Value, Response>(
    of resource: BackendResource<Value, Response, Auth>, with value: Value
  ) throws(WebServiceError) -> Request {
    var request = Request(
      try environment.urlForm(of: resource.path, for: resource.method).text, resource.method,
      queryItems: resource.queryItems, headers: resource.headers, authorization: Auth.authorization,
      options: resource.options)
    resource.content.write(value, &request)
    return request
  }
}

extension AuthenticatedAccessor: Accessible where Auth == NoAuth {}
