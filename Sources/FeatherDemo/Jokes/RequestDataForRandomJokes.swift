import Foundation
import WebServices

/// Requests random jokes. The service refuses the request without a valid token.
struct RequestDataForRandomJokes: WebServiceRequestData {
  let numberOfJokes: Int

  var path: String { "jokes/random" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(numberOfJokes)")] }
  var authorization: WebServiceAuthorizationType { .apiToken }
}
