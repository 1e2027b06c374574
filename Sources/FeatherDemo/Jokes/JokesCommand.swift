import WebServices

/// Signs in, and shows random jokes where the command asks for them. Both requests are awaited.
@MainActor
enum JokesCommand {
  static func signIn(_ context: CommandContext) async throws {
    let info = try await authenticate(context)
    let report = JokeReport(user: context.credentials.user, secondsRemaining: info.secondsRemaining)
    try context.show(report, report.lines)
  }

  static func showJokes(_ context: CommandContext) async throws {
    _ = try await authenticate(context)
    let list = try await context.step("fetching jokes") {
      let requestData = RequestDataForRandomJokes(numberOfJokes: context.arguments.count)
      return try await JsonWebService.shared.sendRequest(requestData, as: JokeListResponse.self)
    }
    let report = JokeReport(jokes: list.value)
    try context.show(report, report.lines)
  }

  static func authenticate(_ context: CommandContext) async throws -> AuthenticationInfo {
    let info = try await context.step("signing in") {
      let requestData = RequestDataForAuthenticate(
        userId: context.credentials.user, password: context.credentials.password)
      return try await JsonWebService.shared.sendRequest(requestData, as: AuthenticationInfo.self)
    }
    BasicAuthManager.shared.update(info)
    return info
  }
}
