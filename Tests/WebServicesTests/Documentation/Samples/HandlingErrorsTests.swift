import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The samples of the article on handling errors.
@Suite struct HandlingErrorsTests {
  private func save(
    _ booking: Request, with service: JsonWebService, show: (String) -> Void, showSignIn: () -> Void,
    log: (String) -> Void
  ) async {
    // sample: errorKinds
  }

  @MainActor
  private func load(with service: JsonWebService, show: @escaping @MainActor (String) -> Void) -> Task<Void, Never> {
    typealias Joke = ReadmeTests.Joke
    // sample: typedCatch
    return task
  }

  @Test @MainActor func errorInsideATaskIsTyped() async {
    let session = MockURLSession()
    session.script(.get, "/jokes/7", .status(404))
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    var shown: [String] = []
    await load(with: service) { shown.append($0) }.value
    #expect(shown == ["This doesn't exist (any more)."])
  }

  @Test func errorKindSelectsTheMessage() async {
    let session = MockURLSession()
    for status in [409, 401, 404] { session.script(.post, "/bookings", .status(status)) }
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    var (shown, logged): ([String], [String]) = ([], [])
    for _ in 0..<3 {
      await save(Request("bookings", .post), with: service, show: { shown.append($0) }) {
        shown.append("the sign-in")
      } log: {
        logged.append($0)
      }
    }
    #expect(shown == ["Somebody else has booked this seat.", "the sign-in", "This doesn't exist (any more)."])
    #expect(logged.count == 3)
    #expect(logged.first?.contains("POST https://api.example.com/bookings") == true)
  }
}
