import WebServices

/// Logs in and then loads the results, with a completion handler for each request. Call `load(username:password:)`.
@MainActor
final class MenuScreen {
  /// An error, and the step that failed.
  struct Failure: Error, Equatable {
    let action: String
    let error: WebServiceError
  }

  /// The content to show.
  struct Content: Equatable, Sendable {
    let login: LoginResponse
    let results: [LotoResult]
  }

  private let service: any MenuServicing
  private let spinner: Spinner
  /// `nil` after the result was delivered. A continuation must be resumed only once.
  private var completion: ((Result<Content, Failure>) -> Void)?

  init(service: any MenuServicing, spinner: Spinner) {
    self.service = service
    self.spinner = spinner
  }

  func load(username: String, password: String) async -> Result<Content, Failure> {
    await withCheckedContinuation { continuation in
      completion = { continuation.resume(returning: $0) }
      login(username, password)
    }
  }

  private func login(_ username: String, _ password: String) {
    spinner.start("Logging in")
    service.login(with: username, password: password) { [self] result in
      switch result {
      case .success(let login): loadResults(of: login)
      case .failure(let error): end(.failure(Failure(action: "logging in", error: error)))
      }
    }
  }

  private func loadResults(of login: LoginResponse) {
    spinner.start("Fetching results")
    service.results(of: login.userId) { [self] result in
      switch result {
      case .success(let results): end(.success(Content(login: login, results: results)))
      case .failure(let error): end(.failure(Failure(action: "fetching results", error: error)))
      }
    }
  }

  private func end(_ result: Result<Content, Failure>) {
    spinner.stop()
    completion?(result)
    completion = nil
  }
}
