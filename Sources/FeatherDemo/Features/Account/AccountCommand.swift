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
    route(.post, "/authorize") { backend, request in
      backend.signIn(request, userKey: "username") { ["token": $0.apiToken] }
    }
    route(.post, "/deauthorize") { backend, request in backend.signOut(request) }
    route(.get, "/account") { backend, request in backend.account(request) }
    route(.get, AccountStory.slowCall) { backend, request in
      // The token is checked before the delay, so a sign-out in between doesn't refuse the call.
      backend.account(request).delayed(by: 10)
    }
  }

  private func account(_ request: LoopbackServer.Request) -> Response {
    guard let user = user(of: request) else { return Self.refusal(401, "This needs a valid bearer token.") }
    return Self.success(AccountStory.Account(username: user))
  }
}
