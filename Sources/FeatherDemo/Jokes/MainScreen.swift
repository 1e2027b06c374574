import WebServices

/// Signs in and then shows random jokes. Each step begins in the completion handler of the step before, as on the main
/// screen of an app.
@MainActor
final class MainScreen {
  private let context: CommandContext
  private var report = JokeReport()
  /// `nil` once the screen has ended, so that the continuation is resumed once.
  private var completion: ((Result<JokeReport, CommandFailure>) -> Void)?

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Runs both steps and prints their results.
  func show() async throws {
    let result = await withCheckedContinuation { continuation in
      completion = { continuation.resume(returning: $0) }
      signIn()
    }
    try context.show(try result.get(), result.get().lines)
  }

  private func signIn() {
    context.begin("signing in")
    let requestData = RequestDataForAuthenticate(
      userId: context.credentials.user, password: context.credentials.password)
    JsonWebService.shared.sendRequest(requestData) {
      [weak self] (authResponse: WebServiceResult<AuthenticationInfo>) in
      self?.context.end()
      switch authResponse {
      case .success(let authInfo):
        guard let authInfo else {
          self?.fail("signing in", nil)
          return
        }
        BasicAuthManager.shared.update(
          apiToken: authInfo.apiToken, secondsRemaining: authInfo.secondsRemaining)
        self?.report.user = self?.context.credentials.user
        self?.report.secondsRemaining = authInfo.secondsRemaining
        self?.requestRandomJokes()
      case .failure(let webServiceError):
        self?.fail("signing in", webServiceError)
      }
    }
  }

  private func requestRandomJokes() {
    context.begin("fetching jokes")
    let requestData = RequestDataForRandomJokes(numberOfJokes: context.arguments.count)
    JsonWebService.shared.sendRequest(requestData) {
      [weak self] (jokesResponse: WebServiceResult<JokeListResponse>) in
      self?.context.end()
      switch jokesResponse {
      case .success(let jokeList):
        self?.report.jokes = jokeList?.value ?? []
        self?.finish()
      case .failure(let webServiceError):
        self?.fail("fetching jokes", webServiceError)
      }
    }
  }

  private func finish() {
    completion?(.success(report))
    completion = nil
  }

  private func fail(_ action: String, _ error: WebServiceError?) {
    completion?(.failure(context.failure(action, error)))
    completion = nil
  }
}
