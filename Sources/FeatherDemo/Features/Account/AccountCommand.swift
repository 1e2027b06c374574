import Foundation
import WebServices
import WebServicesDoubles

/// Signs in, sends calls, changes the user while a call is in progress, and signs out.
@MainActor
enum AccountCommand {
  static func run(_ context: CommandContext) async throws {
    let (arguments, wiring, monitors) = (context.arguments, context.wiring, context.configuration.monitors)
    let user = AppUser()
    let back = Back(user: user, base: wiring.baseURL) { config in
      config.reachability = wiring.reachability
      config.service = { $0.monitors = monitors }
      // A fake session ends with its configuration, so each configuration gets a new one.
      if wiring.session != nil { config.session = { FakeSession.make(for: arguments) } }
    }
    let events = Locked<[String]>([])
    let story = AccountStory(user: user, back: back) { event in
      events.withLock { $0.append(event) }
      if !arguments.printsJSON { Console.result(event) }
    }
    let password = context.credentials.password
    try await context.step("calling") {
      try await story.run(
        first: AppUser.Credentials(username: context.credentials.user, password: password),
        second: AppUser.Credentials(username: AccountStory.secondUser, password: password))
    }
    try context.show(["events": events.withLock { $0 }], [])
  }
}

extension DemoBackend {
  func addAccountRoutes() {
    let book = Locked(AccountBook())
    route(.post, "/authorize") { _, request in
      guard let credentials = try? FeatherJSONDecoder().decode(AppUser.Credentials.self, from: request.body) else {
        return Self.refusal(400, "The body must be JSON with username and password.")
      }
      guard !credentials.username.isEmpty, credentials.password == DemoAccount.password else {
        return Self.refusal(401, "The user or the password is wrong.")
      }
      return Self.success(["token": book.withLock { $0.signIn(credentials.username) }])
    }
    route(.post, "/deauthorize") { _, request in
      book.withLock { $0.signOut(Self.bearerToken(of: request)) }
      return Reply(status: 204, response: .status(204))
    }
    route(.get, "/account") { _, request in Self.account(request, book.withLock { $0 }) }
    route(.get, AccountStory.slowCall) { _, request in
      var reply = Self.account(request, book.withLock { $0 })
      // The token is checked before the delay, so a sign-out in between doesn't refuse the call.
      reply.response.steps.insert(.delay(10), at: 0)
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
