import Foundation

/// A request as values: what one said of itself when it was asked, to be sent with some of it changed.
struct RequestDataCopy: WebServiceRequestData {
  var path: String
  var method: HTTPMethod
  var headers: HTTPHeaders
  var queryItems: [URLQueryItem]
  var query: (any Encodable & Sendable)?
  var body: RequestBody?
  var authorization: WebServiceAuthorizationType
  var options: RequestOptions

  init(_ data: any WebServiceRequestData) {
    path = data.path
    method = data.method
    headers = data.headers
    queryItems = data.queryItems
    query = data.query
    body = data.body
    authorization = data.authorization
    options = data.options
  }
}
