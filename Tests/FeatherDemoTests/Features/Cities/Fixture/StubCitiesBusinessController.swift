import Dispatch
import WebServices

@testable import FeatherDemo

/// Delivers the result that the test sets.
struct StubCitiesBusinessController: CitiesBusinessControllerProtocol {
  let result: Result<CitiesResponse, WebServiceError>

  func fetch() async throws(WebServiceError) -> CitiesResponse {
    try result.get()
  }
}

/// Delivers the same JSON for every resource.
struct StubKongAccessible: KongAccessible {
  typealias Auth = KongAuth
  let json: String

  func access<Request, Response>(
    _ resource: BackendResource<Request, Response, KongAuth>, with request: Request, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
  ) -> WebServiceTask {
    callbackQueue.async { completion(resource.parser.result(ofJSON: json)) }
    return WebServiceTask()
  }
}
