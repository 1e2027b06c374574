import WebServices
import WebServicesTesting

struct RequestDataForTime: WebServiceRequestData {
  var path: String { "time" }
  var authorization: WebServiceAuthorizationType { .bearer }
}

/// Signs in with a client's own credentials. The server of this process gives tokens that live five seconds.
@main
enum OAuth2Example {
  static func main() async throws {
    let server = try makeServer()
    let oauth = OAuth2(tokenURL: server.url("/token"), client: OAuth2.Client(id: "shop", secret: "secret"))
    let tokens = BasicAuthManager(source: oauth.clientCredentials)
    let service = JsonWebService(tokenManager: tokens, configuration: WebServiceConfiguration(baseURL: server.baseURL))
    for second in 0..<8 {
      print("\(second) s:", try await service.sendRequest(RequestDataForTime(), parser: .text))
      try await Task.sleep(nanoseconds: 1_000_000_000)
    }
    server.stop()
  }
}

/// Makes a server that gives tokens, and repeats the token of a request.
func makeServer() throws -> LoopbackServer {
  let server = try LoopbackServer()
  server.route(.post, "/token") { [weak server] _ in
    let number = server?.requests(.post, "/token").count ?? 0
    return .json(#"{"access_token": "token-\#(number)", "token_type": "Bearer", "expires_in": 5}"#)
  }
  server.route(.get, "/time") { request in .text(request.headers["Authorization"] ?? "no token") }
  return server
}
