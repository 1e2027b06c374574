public import Dispatch
import Foundation

/// Sends the requests of resources that need no authorization. Create an accessor with a service, then call
/// ``AuthenticatedAccessor/access(_:with:)``.
public typealias ResourceAccessor = AuthenticatedAccessor<NoAuth>

/// Sends the requests of resources that require one kind of authorization. The service's token manager provides the
/// token. Create an accessor for each kind, then call ``access(_:with:)``.
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
  ///   - completion: runs exactly once, never inside this call. An error of the kind `.badURL` means that the
  ///     environment lacks the backend.
  /// - Returns: the handle that cancels the request.
  @discardableResult
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    do {
      let data = try ResourceRequest(resource, with: request, in: environment)
      return service.sendRequest(data, parser: resource.parser, callbackQueue: callbackQueue, completion: completion)
    } catch {
      return WebServiceTask.unsent(error, on: callbackQueue, completion: completion)
    }
  }

  /// Accesses a resource and returns its value. Cancelling the Swift task cancels the request.
  ///
  /// - Throws: a ``WebServiceError``, of kind `.badURL` if the environment lacks the backend.
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request
  ) async throws(WebServiceError) -> Response {
    let data = try ResourceRequest(resource, with: request, in: environment)
    return try await service.sendRequest(data, parser: resource.parser)
  }
}

extension AuthenticatedAccessor: Accessible where Auth == NoAuth {}

/// Makes a request for the service from a resource and the value to send.
private struct ResourceRequest: WebServiceRequestData {
  let path: String
  let method: HTTPMethod
  let headers: HTTPHeaders
  let queryItems: [URLQueryItem]
  let query: (any Encodable & Sendable)?
  let body: RequestBody?
  let authorization: WebServiceAuthorizationType
  let options: RequestOptions

  init<Request, Response, Auth>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, in environment: BackendEnvironment
  ) throws(WebServiceError) {
    let parts = resource.content.parts(request, resource.method)
    path = try environment.url(of: resource.path).absoluteString
    method = resource.method
    headers = resource.headers
    queryItems = resource.queryItems
    query = parts.query
    body = parts.body
    authorization = Auth.authorization
    options = resource.options
  }
}

extension WebServiceTask {
  /// Delivers an error for a request that can't be built. The completion runs once on the callback queue, after this
  /// call has returned, as for every other error.
  static func unsent<Value: Sendable>(
    _ error: WebServiceError, on callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    callbackQueue.async { completion(.failure(error)) }
    return WebServiceTask()
  }
}
