import Foundation

extension RequestDataCopy {
  /// A resource, what it is accessed with and where, as the request that the engine knows.
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
