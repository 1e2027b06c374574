import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

// sample: menuError
nonisolated struct MenuServerError: Decodable, Sendable {
  var code: Int
  var message: String
}

enum MenuError: Error {
  case unauthorized(MenuServerError)
  case refused(MenuServerError)
  case unknown
}

nonisolated extension ResponseValidator {
  static let menu = serverErrors(MenuServerError.self, otherwise: MenuError.unknown) { body, response in
    response.statusCode == 401 ? MenuError.unauthorized(body) : MenuError.refused(body)
  }
}
// end of sample

// sample: ownValidator
struct MaintenanceError: Error {}

extension ResponseValidator {
  static let noMaintenance = ResponseValidator { response in
    if response.headers["X-Maintenance"] != nil { throw MaintenanceError() }
  }
}
// end of sample

/// The samples of the article on a server's errors.
@Suite struct ServerErrorsTests {
  struct Menu: Decodable, Sendable {
    var dishes: [String]
  }

  // sample: bodyIsError
  struct APIError: Error, Decodable {
    var code: Int
    var message: String
  }

  struct RequestDataForTable: WebServiceRequestData {
    var path: String { "table" }
    var options: RequestOptions { RequestOptions { $0.validators = [.serverErrors(APIError.self)] } }
  }
  // end of sample

  // sample: requestValidators
  struct RequestDataForMenu: WebServiceRequestData {
    var path: String { "menu" }
    var options: RequestOptions { RequestOptions { $0.validators = [.menu] } }
  }
  // end of sample

  private var configuration: WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: configurationValidators
    configuration.validators = [.noMaintenance, .problemDetails, .successfulStatus]
    // end of sample
    return configuration
  }

  private func service(_ response: MockResponse) -> JsonWebService {
    let session = MockURLSession()
    session.script(.get, "/menu", response)
    return JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
  }

  @MainActor
  private func loadMenu(
    from service: JsonWebService, signIn: @escaping @MainActor () -> Void,
    show: @escaping @MainActor (String) -> Void
  ) {
    // sample: typedError
    service.sendRequest(RequestDataForMenu()) { (result: WebServiceResult<Menu>) in
      switch result {
      case .success(let menu):
        show(menu?.dishes.joined(separator: ", ") ?? "Nothing today.")
      case .failure(let error):
        switch error?.underlying(as: MenuError.self) {
        case .unauthorized: signIn()
        case .refused(let body): show(body.message)
        case .unknown, nil: show(error?.friendlyDescription ?? "Something went wrong.")
        }
      }
    }
    // end of sample
  }

  @Test(
    arguments: [
      (MockResponse.json(#"{"dishes": ["soup", "cake"]}"#), "soup, cake"),
      (.json(#"{"code": 1, "message": "Closed"}"#, status: 403), "Closed"),
      (.json(#"{"code": 2, "message": "Who?"}"#, status: 401), "signing in"),
      (.response(status: 500), "The service has a problem (500). Please try again later."),
    ])
  @MainActor
  func ownErrorReachesTheCompletion(response: MockResponse, shown: String) async {
    let service = service(response)
    let text = await withCheckedContinuation { continuation in
      loadMenu(from: service, signIn: { continuation.resume(returning: "signing in") }) {
        continuation.resume(returning: $0)
      }
    }
    #expect(text == shown)
  }

  private func showProblem(of service: JsonWebService, show: (String) -> Void) async {
    let account = TestRequest(path: "menu")
    // sample: problemDetails
    do {
      try await service.sendRequest(account, parser: .nothing)
    } catch {
      if let problem = error.underlying(as: ProblemDetails.self) {
        show(problem.detail ?? problem.title ?? error.friendlyDescription)
        show("You have \(problem["balance"]?.integer ?? 0).")
      }
    }
    // end of sample
  }

  @Test func problemDetailsAreRead() async {
    let type: HTTPHeaders = ["Content-Type": "application/problem+json"]
    let service = service(.json(#"{"detail": "It costs 50.", "balance": 30}"#, status: 403, headers: type))
    var shown: [String] = []
    await showProblem(of: service) { shown.append($0) }
    #expect(shown == ["It costs 50.", "You have 30."])
  }
}
