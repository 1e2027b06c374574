import Foundation
import WebServices

/// Requests random jokes. The service refuses the request without a valid token.
struct RequestDataForRandomJokes: WebServiceRequestData {
  let numberOfJokes: Int

  var path: String { "jokes/random" }
  var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(numberOfJokes)")] }
  var authorization: WebServiceAuthorizationType { .apiToken }
}

/// The response to ``RequestDataForRandomJokes``.
struct JokeListResponse: Codable, Sendable {
  /// The outcome; the service always sends `success`.
  var type: String
  var value: [Joke]
}

/// One joke of the service.
struct Joke: Codable, Sendable {
  var id: Int
  var joke: String
  var categories: [String]
}
