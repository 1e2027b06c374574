import Foundation
import WebServices

/// The requests that `MenuScreen` needs. Tests inject another implementation.
protocol MenuServicing: Sendable {
  typealias LoginCompletion = @MainActor (Result<LoginResponse, WebServiceError>) -> Void
  typealias ResultsCompletion = @MainActor (Result<[LotoResult], WebServiceError>) -> Void

  @discardableResult
  func login(with username: String, password: String, completionHandler: @escaping LoginCompletion) -> WebServiceTask

  @discardableResult
  func results(of userId: String, completionHandler: @escaping ResultsCompletion) -> WebServiceTask
}

/// Sends the login and the request for results, one method each. A service is an instance rather than a namespace, so
/// that tests can replace the service.
final class MenuService: MenuServicing {
  private let service: any JsonWebServiceable

  init(service: any JsonWebServiceable) {
    self.service = service
  }

  @discardableResult
  func login(with username: String, password: String, completionHandler: @escaping LoginCompletion) -> WebServiceTask {
    service.sendRequest(
      RequestDataForLogin(username: username, password: password), parser: .json(LoginResponse.self),
      completion: completionHandler)
  }

  @discardableResult
  func results(of userId: String, completionHandler: @escaping ResultsCompletion) -> WebServiceTask {
    service.sendRequest(
      RequestDataForResults(userId: userId), parser: .json([LotoResult].self), completion: completionHandler)
  }
}
