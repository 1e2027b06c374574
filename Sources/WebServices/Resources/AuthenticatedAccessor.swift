public import Dispatch

/// Accesses, over a web service, resources that demand a certain authorization. The service's token manager provides the
/// token.
public struct AuthenticatedAccessor<Auth: BackendAuth>: AuthenticatedAccessible {
  private let resources: ResourceAccess

  /// Creates an accessor.
  ///
  /// - Parameters:
  ///   - service: what sends.
  ///   - environment: where the backends are.
  public init(service: any JsonWebServiceable, environment: BackendEnvironment) {
    resources = ResourceAccess(service: service, environment: environment)
  }

  /// Accesses a resource and hands what came back to the completion, as `ResourceAccessing` says.
  @discardableResult
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    resources.access(resource, with: request, callbackQueue: callbackQueue, completion: completion)
  }

  /// Accesses a resource and returns what came back. Cancelling the Swift task cancels the request.
  public func access<Request, Response>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request
  ) async throws(WebServiceError) -> Response {
    try await resources.access(resource, with: request)
  }
}
