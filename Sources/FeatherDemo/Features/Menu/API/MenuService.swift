import Foundation
import WebServices

/// What a screen needs of the service; its tests give it another one.
protocol MenuServicing: Sendable {
  typealias LoginCompletion = @MainActor (Result<LoginResponse, WebServiceError>) -> Void
  typealias ResultsCompletion = @MainActor (Result<[LotoResult], WebServiceError>) -> Void

  @discardableResult
  func login(with username: String, password: String, completionHandler: @escaping LoginCompletion) -> WebServiceTask

  @discardableResult
  func results(of userId: String, completionHandler: @escaping ResultsCompletion) -> WebServiceTask
}

/// All requests of one part of the API, one method each. An instance, not a namespace, so that another can take its
/// place.
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
