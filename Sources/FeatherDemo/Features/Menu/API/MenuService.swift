import WebServices

/// Sends the login and the request for results, one method each. A service is an instance rather than a namespace, so
/// that tests can pass it a session of their own.
struct MenuService: Sendable {
  typealias Completion<Value> = @MainActor (Result<Value, WebServiceError>) -> Void

  let service: any JsonWebServiceable

  @discardableResult
  func login(
    with username: String, password: String, completionHandler: @escaping Completion<LoginResponse>
  ) -> WebServiceTask {
    service.sendRequest(
      RequestDataForLogin(username: username, password: password), parser: .json(), completion: completionHandler)
  }

  @discardableResult
  func results(of userId: String, completionHandler: @escaping Completion<[LotoResult]>) -> WebServiceTask {
    service.sendRequest(RequestDataForResults(userId: userId), parser: .json(), completion: completionHandler)
  }
}
