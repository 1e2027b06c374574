import WebServices

/// Logs in and shows the results of the user's lottery draws.
@MainActor
enum MenuCommand {
  /// The user and the results, as the option `--json` prints them.
  private struct Members: Encodable {
    var userId: String
    var name: String
    var results: [Result]

    struct Result: Encodable {
      var draw: String
      var numbers: [Int]
      var extraNumber: Int?
      var prizes: Int?
    }
  }

  static func run(_ context: CommandContext) async throws {
    let screen = MenuScreen(service: MenuService(service: JsonWebService.shared), spinner: context.spinner)
    let result = await screen.load(username: context.credentials.user, password: context.credentials.password)
    switch result {
    case .success(let content): try print(content, asJSON: context.arguments.printsJSON)
    case .failure(let failure): throw commandFailure(failure, context)
    }
  }

  private static func print(_ content: MenuScreen.Content, asJSON: Bool) throws {
    guard asJSON else {
      Console.result(MenuRenderer.line(for: content.login))
      return MenuRenderer.lines(for: content.results).forEach(Console.result)
    }
    let results = content.results.map {
      Members.Result(
        draw: $0.draw.id, numbers: $0.numbers, extraNumber: $0.extraNumber, prizes: $0.prizes?.count)
    }
    Console.data(
      try JSONText.of(Members(userId: content.login.userId, name: content.login.name, results: results)))
  }

  /// Describes a failure in the server's own words if it sent any. The server may repeat the password, so it is hidden.
  private static func commandFailure(_ failure: MenuScreen.Failure, _ context: CommandContext) -> CommandFailure {
    guard let error = failure.error.underlying(as: MenuError.self) else {
      return context.failure(failure.action, failure.error)
    }
    let lines = MenuRenderer.lines(for: error, action: failure.action)
    return CommandFailure(lines.map { Wording.hide([context.credentials.password], in: $0) })
  }
}
