import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

// sample: menuError

// sample: ownValidator

/// The samples of the article on a server's errors.
@Suite struct ServerErrorsTests {
  struct Menu: Decodable, Sendable {
    var dishes: [String]
  }

  // sample: bodyIsError

  // sample: requestValidators

  private var configuration: WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: configurationValidators
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
  }

  @Test(
    arguments: [
      (MockResponse.json(#"{"dishes": ["soup", "cake"]}"#), "soup, cake"),
      (.json(#"{"code": 1, "message": "Closed"}"#, status: 403), "Closed"),
      (.json(#"{"code": 2, "message": "Who?"}"#, status: 401), "signing in"),
      (.status(500), "The service has a problem (500). Please try again later."),
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
  }

  @Test func problemDetailsAreRead() async {
    let type: HTTPHeaders = ["Content-Type": "application/problem+json"]
    let service = service(.json(#"{"detail": "It costs 50.", "balance": 30}"#, status: 403, headers: type))
    var shown: [String] = []
    await showProblem(of: service) { shown.append($0) }
    #expect(shown == ["It costs 50.", "You have 30."])
  }
}
