import Foundation
import WebServices

/// Asks for random jokes. Only who is signed in gets them.
struct RequestDataForRandomJokes: WebServiceRequestData {
  let numberOfJokes: Int

  var path: String { "jokes/random" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(numberOfJokes)")] }
  var authorization: WebServiceAuthorizationType { .apiToken }
}
