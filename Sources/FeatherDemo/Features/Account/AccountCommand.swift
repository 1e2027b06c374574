import Foundation
import WebServices

/// Signs in, sends calls, changes the user while calls are in progress, and signs out.
@MainActor
enum AccountCommand {
  /// The events of the story, as the option `--json` prints them.
  private struct Output: Encodable {
    var events: [AccountEvent]
  }

  static func run(_ context: CommandContext) async throws {
    let (user, arguments) = (AppUser(), context.arguments)
    let back = Back(user: user, base: context.wiring.baseURL, adjust: adjustment(for: context))
    let events = Locked<[AccountEvent]>([])
    let story = AccountStory(user: user, back: back) { event in
      events.withLock { $0.append(event) }
      if !arguments.printsJSON { Console.result(AccountRenderer.line(for: event)) }
    }
    let password = context.credentials.password
    do {
      try await story.run(
        first: AppUser.Credentials(username: context.credentials.user, password: password),
        second: AppUser.Credentials(username: AccountStory.secondUser, password: password))
    } catch {
      throw context.failure(events.withLock { $0.isEmpty } ? "signing in" : "calling", other: error)
    }
    if arguments.printsJSON { Console.data(try JSONText.of(Output(events: events.withLock { $0 }))) }
  }

  /// Adjusts each configuration. A fake session ends with its configuration, so each configuration gets a new one. With
  /// `--verbose` each request is printed.
  private static func adjustment(for context: CommandContext) -> Server.Config.Configure<Server.Config> {
    let (arguments, reachability, isFake) = (
      context.arguments, context.wiring.reachability, context.wiring.session != nil
    )
    return { config in
      config.reachability = reachability
      let authorization = config.headers["Authorization"]
      if isFake { config.session = { FakeSession.make(for: arguments, authorization: authorization) } }
      if arguments.isVerbose {
        config.request = { request in
          Console.note("> \(request.method) \(Redaction.standard.url(request.path))")
        }
      }
    }
  }
}
