import WebServices
import WebServicesTesting

struct Joke: Decodable, Sendable { var text: String }
/// The requests of an app. The app's code uses only this protocol, so that a test can replace the service.
protocol JokeServiceable: Sendable {
  func joke(id: String) async throws(WebServiceError) -> Joke
}

struct JokeService: JokeServiceable {  // Sends each request to the server.
  var web: any JsonWebServiceable
  func joke(id: String) async throws(WebServiceError) -> Joke {
    try await web.sendRequest(Request("jokes/\(segment: id)"), as: Joke.self)
  }
}

struct FakeJokeService: JokeServiceable {  // Returns jokes from memory, for tests and previews.
  var jokes: [String: Joke]
  func joke(id: String) async throws(WebServiceError) -> Joke {
    guard let joke = jokes[id] else { throw WebServiceError(.statusCode(404)) }
    return joke
  }
}

/// Stands for the code of an app, which runs with the service and with the fake.
func headline(of id: String, from service: any JokeServiceable) async -> String {
  do { return try await service.joke(id: id).text.uppercased() } catch { return error.friendlyDescription }
}

let server = try LoopbackServer()
server.route(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))
let service = JokeService(web: JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL)))
let fake = FakeJokeService(jokes: ["7": Joke(text: "A horse walks into a bar.")])
for id in ["7", "8"] {
  let (real, faked) = await (headline(of: id, from: service), headline(of: id, from: fake))
  guard real == faked else { fatalError("Of \(id) the service says: \(real) Its fake says: \(faked)") }
}
print("The fake does what the service does.")

// Prints: The fake does what the service does.
