import Foundation
import WebServices
import WebServicesTesting

struct Joke: Decodable, Sendable {
  var text: String
}

// A server in this process, so that the script needs no network. Use the URL of your own server instead.
let server = try LoopbackServer()
server.route(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))

let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
do {
  let joke = try await service.sendRequest(Request("jokes/7"), as: Joke.self)
  print(joke.text)
} catch {
  print(error.friendlyDescription)
  exit(1)
}

// Prints: A horse walks into a bar.
