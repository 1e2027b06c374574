import Foundation

/// A resource, what it is accessed with and where, as the request that the engine knows.
struct ResourceRequestData: WebServiceRequestData {
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
