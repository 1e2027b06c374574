import Foundation

/// The request that renews a token, as the engine is given it: the app's own in everything but how it is queued.
///
/// What waits for a token holds its place in every limiter, so that a renewal which had to wait for a place would wait
/// for ever.
struct RenewalRequest: WebServiceRequestData {
  let base: any WebServiceRequestData

  var path: String { base.path }
  var method: HTTPMethod { base.method }
  var headers: HTTPHeaders { base.headers }
  var queryItems: [URLQueryItem] { base.queryItems }
  var body: RequestBody? { base.body }
  var authorization: WebServiceAuthorizationType { base.authorization }
  var options: RequestOptions { base.options }
}
