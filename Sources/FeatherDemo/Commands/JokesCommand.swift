import WebServices

/// Signs in and shows random jokes.
@MainActor
enum JokesCommand {
  static func run(_ context: CommandContext) async throws {
    _ = try await SignInCommand.signIn(context)
    let report = Report(jokes: try await randomJokes(context))
    try report.print(asJSON: context.arguments.printsJSON)
  }

  private static func randomJokes(_ context: CommandContext) async throws -> [Joke] {
    let requestData = RequestDataForRandomJokes(numberOfJokes: context.arguments.count)
    context.spinner.start("Fetching jokes")
    defer { context.spinner.stop() }
    do throws(WebServiceError) {
      return try await JsonWebService.shared.sendRequest(requestData, as: JokeListResponse.self).value
    } catch {
      throw context.failure("fetching jokes", error)
    }
  }
}
