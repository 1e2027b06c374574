import HTTPTypes
import OpenAPIRuntime
import WebServices
import WebServicesTesting

@main
enum GeneratedClient {
  static func main() async throws {
    let (server, piece, end) = (try LoopbackServer(), LoopbackServer.Gate(), LoopbackServer.Gate())
    server.serveJokes(holding: piece, breakingAt: end)
    let manager = BasicAuthManager(source: .refreshToken { Request("token", .post, headers: ["old": $0.apiToken]) })
    manager.update(apiToken: "old", secondsRemaining: 3600)
    let url = server.baseURL

    // sample: openAPIClient
    var configuration = WebServiceConfiguration(baseURL: url)
    configuration.validators = []
    configuration.retry = .standard
    let service = JsonWebService(
      tokenManager: manager, configuration: configuration)
    let transport = WebServiceTransport(service: service) {
      request, operation in
      guard operation != Operations.PlayRecording.id else { return }
      request.authorization = .bearer
    }
    let client = Client(serverURL: url, transport: transport)
    // end of sample

    // The server refuses the token, and then has no time. The client gets the response to the third request.
    print(try await client.getJoke(.init(path: .init(id: "7"))).ok.body.json.text)
    print(server.requests(.get).map { $0.headers["Authorization"] ?? "none" })
    // Prints: A horse walks into a bar.
    // Prints: ["Bearer old", "Bearer new", "Bearer new"]

    // Each status reaches the generated code, with all header fields.
    print(try await client.getJoke(.init(path: .init(id: "8"))).notFound.body.json.title)
    if case .undocumented(let status, let payload) = try await client.getJoke(.init(path: .init(id: "6"))) {
      print(status, payload.headerFields[values: .setCookie])
    }
    print(try await client.addJoke(.init(body: .json(.init(text: "Two horses walk.")))).created.body.json.text)
    // Prints: There is no joke 8.
    // Prints: 410 ["a=1", "b=2"]
    // Prints: Two horses walk.

    // The server responds with 503 twice. Only a body that can be iterated again is sent again.
    print(try await client.upload(pieces()), server.requests(.put).map(\.body.count))
    print(try await client.upload(bytes), server.requests(.put).map(\.body.count))
    // Prints: refused [300000]
    // Prints: stored [300000, 100000, 100000]

    // The server waits until the client has the first piece. Then it sends the second one, or breaks the connection.
    try await client.play("7") { text in
      print(text)
      piece.open()
    }
    do { try await client.play("6") { _ in end.open() } } catch let error as WebServiceError { print(error.kind) }
    // Prints: A horse
    // Prints: and a dog
    // Prints: sessionFailure

    // The cancel of a task cancels its request.
    let task = Task { try await client.tell("9") }
    await server.waitForRequests(.get, "/jokes/9")
    task.cancel()
    try await task.value
    print("\(service.requestCount) requests are left.")
    // Prints: The request was cancelled.
    // Prints: 0 requests are left.
  }
}
