import WebServices
import WebServicesTesting

/// Makes a server that gives tokens for five seconds, and sends back the token of a request.
func makeServer() throws -> LoopbackServer {
  let server = try LoopbackServer()
  server.route(.post, "/token") { [weak server] _ in
    let number = server?.requests(.post, "/token").count ?? 0
    return .json(#"{"access_token": "token-\#(number)", "token_type": "Bearer", "expires_in": 5}"#)
  }
  server.route(.get, "/echo") { request in .text(request.headers["Authorization"] ?? "no token") }
  return server
}

let server = try makeServer()

// The client signs in with its own credentials. The manager gets the first token, and renews each token in time.
let oauth = OAuth2(tokenURL: server.url("/token"), client: OAuth2.Client(id: "shop", secret: "secret"))
let tokens = BasicAuthManager(source: oauth.clientCredentials)
let service = JsonWebService(tokenManager: tokens, configuration: WebServiceConfiguration(baseURL: server.baseURL))

let request = Request("echo", authorization: .bearer)
let first = try await service.sendRequest(request, parser: .text)
var current = first
print(first)
while current == first {
  try await Task.sleep(for: .seconds(1))
  current = try await service.sendRequest(request, parser: .text)
  print(current)
}

// Prints: Bearer token-1
// Prints: Bearer token-2
