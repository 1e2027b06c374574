import WebServices
import WebServicesTesting

// Stands for the authorization server. Its page sends the browser back with a code, and the code gives a token.
let authority = try LoopbackServer()
authority.route(.get, "/authorize") { request in
  .redirect(to: "\(request.query("redirect_uri") ?? "")?code=one-time&state=\(request.query("state") ?? "")")
}
authority.route(.post, "/token") { request in
  guard request.text.contains("code=one-time"), request.text.contains("code_verifier=") else { return .status(400) }
  return .json(#"{"access_token": "token-1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r"}"#)
}
authority.route(.get, "/echo") { request in .text(request.headers["Authorization"] ?? "no token") }
let oauth = OAuth2(tokenURL: authority.url("/token"), client: OAuth2.Client(id: "tool"))
let tokens = BasicAuthManager(source: oauth)
let service = JsonWebService(tokenManager: tokens, configuration: .init(baseURL: authority.baseURL))
/// A tool runs `open` on macOS and `xdg-open` on Linux. Here a request takes the part of the user and the browser.
func openBrowser(_ page: some CustomStringConvertible) async throws {
  print(try await service.sendRequest(Request("\(page)"), parser: .text))
}

// sample: loopbackRedirect
// Takes the browser back on a free port of this machine.
let receiver = try LoopbackServer()
let (callbacks, continuation) = AsyncStream.makeStream(of: String.self)
receiver.route(.get, "/signed-in") { request in
  continuation.yield(request.target)
  return .text("You are signed in. You can close this page.")
}
let page = oauth.signIn(at: authority.url("/authorize"), redirectURL: "\(receiver.url("/signed-in"))")
try await openBrowser(page.url)
for await target in callbacks.prefix(1) {
  let request = try page.tokenRequest(for: receiver.url(target))
  tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
}
receiver.stop()
// end of sample
print(try await service.sendRequest(Request("echo", authorization: .bearer), parser: .text))
// Prints: You are signed in. You can close this page.
// Prints: Bearer token-1
