import Foundation
import WebServices
import WebServicesTesting

extension DemoBackend {
  /// The duration of a slow call, in seconds.
  private static let slowness: TimeInterval = 10

  func addAccountRoutes() {
    let book = Locked(AccountBook())
    route(.post, "/authorize") { _, request in
      guard let credentials = try? JSONDecoder().decode(AppUser.Credentials.self, from: request.body) else {
        return Self.refusal(400, "The body must be JSON with username and password.")
      }
      guard !credentials.username.isEmpty, credentials.password == DemoAccount.password else {
        return Self.refusal(401, "The user or the password is wrong.")
      }
      let token = book.withLock { $0.signIn(credentials.username) }
      return Self.success(AppUser.AuthorizationResponse(token: token))
    }
    route(.post, "/deauthorize") { _, request in
      book.withLock { $0.signOut(Self.bearerToken(of: request)) }
      return Reply(status: 204, response: .status(204))
    }
    route(.get, "/account") { _, request in Self.account(request, book.withLock { $0 }) }
    route(.get, "/account/slow/:number") { _, request in
      var reply = Self.account(request, book.withLock { $0 })
      // The token is checked before the delay, so a sign-out in between doesn't refuse the call.
      reply.response.steps.insert(.delay(Self.slowness), at: 0)
      return reply
    }
  }

  private static func account(_ request: LoopbackServer.Request, _ book: AccountBook) -> Reply {
    guard let username = book.username(for: bearerToken(of: request)) else {
      return refusal(401, "This needs a valid bearer token.")
    }
    return success(AccountStory.Account(username: username))
  }
}
