import WebServices

/// Signs in and then shows random jokes. Each step begins in the completion handler of the step before, as on the main
/// screen of an app.
@MainActor
struct MainScreen {
  private typealias Completion = (Result<JokeReport, CommandFailure>) -> Void

  let context: CommandContext

  /// Runs both steps and prints their results.
  func show() async throws {
    let report = try await withCheckedContinuation { continuation in
      signIn { continuation.resume(returning: $0) }
    }.get()
    try context.show(report, report.lines)
  }

  private func signIn(_ completion: @escaping Completion) {
    context.begin("signing in")
    let requestData = RequestDataForAuthenticate(
      userId: context.credentials.user, password: context.credentials.password)
    JsonWebService.shared.sendRequest(requestData) { (authResponse: WebServiceResult<AuthenticationInfo>) in
      context.end()
      switch authResponse {
      case .success(let authInfo?):
        BasicAuthManager.shared.update(
          apiToken: authInfo.apiToken, secondsRemaining: authInfo.secondsRemaining)
        requestRandomJokes(
          after: JokeReport(user: context.credentials.user, secondsRemaining: authInfo.secondsRemaining), completion)
      case .success(nil): completion(.failure(context.failure("signing in", nil)))
      case .failure(let webServiceError): completion(.failure(context.failure("signing in", webServiceError)))
      }
    }
  }

  private func requestRandomJokes(after signIn: JokeReport, _ completion: @escaping Completion) {
    context.begin("fetching jokes")
    let requestData = RequestDataForRandomJokes(numberOfJokes: context.arguments.count)
    JsonWebService.shared.sendRequest(requestData) { (jokesResponse: WebServiceResult<JokeListResponse>) in
      context.end()
      switch jokesResponse {
      case .success(let jokeList):
        var report = signIn
        report.jokes = jokeList?.value ?? []
        completion(.success(report))
      case .failure(let webServiceError): completion(.failure(context.failure("fetching jokes", webServiceError)))
      }
    }
  }
}
