@testable import WebServicesTestSupport

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
    var configuration = WebServiceConfiguration.sample
    // sample: configurationValidators
    return configuration
  }

  private func service(_ response: MockResponse) -> JsonWebService {
    JsonWebService(over: MockURLSession(["GET /menu": response]), configuration)
  }

  @MainActor
  private func loadMenu(
    from service: JsonWebService, signIn: @escaping @MainActor () -> Void,
    show: @escaping @MainActor (String) -> Void
  ) {
    // sample: typedError
  }

  @Test(arguments: [
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
    expectEqual(text, shown)
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
    expectEqual(shown, ["It costs 50.", "You have 30."])
  }
}
