import Dispatch

/// What both accessors do: it resolves a resource and hands it to the one engine.
struct ResourceAccess: Sendable {
  let service: any JsonWebServiceable
  let environment: BackendEnvironment

  func access<Request, Response, Auth>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    do {
      let data = try RequestDataCopy(resource, with: request, in: environment)
      return service.sendRequest(
        data, parser: resource.parser, callbackQueue: callbackQueue, completion: completion)
    } catch {
      return UnsentRequest.end(with: error, on: callbackQueue, completion: completion)
    }
  }

  func access<Request, Response, Auth>(
    _ resource: BackendResource<Request, Response, Auth>, with request: Request
  ) async throws(WebServiceError) -> Response {
    let data = try RequestDataCopy(resource, with: request, in: environment)
    return try await service.sendRequest(data, parser: resource.parser)
  }
}
