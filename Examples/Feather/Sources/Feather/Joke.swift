import WebServicesCore

struct Joke: Decodable, Sendable {
  var text: String
}

struct RequestDataForJoke: WebServiceRequestData {
  var id: Int
  var path: String { "jokes/\(id)" }
  var authorization: WebServiceAuthorizationType { .bearer }
}
