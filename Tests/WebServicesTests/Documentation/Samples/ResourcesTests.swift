import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: backend

// sample: resources

// sample: injected

// sample: stub

/// The samples of the article on typed resources.
@Suite struct ResourcesTests {
  @Test func accessorsSendOpenAndAuthorizedResources() async throws {
    let session = MockURLSession()
    session.script(.get, "/v1/books/5", .json(#"{"title": "Emma"}"#))
    session.script(.post, "/v1/books/5/reviews", .status(201))
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(token: "t0ken"), reachability: FakeReachability())
    // sample: access
    #expect(book.title == "Emma")
    #expect(session.requests.last?.url?.absoluteString == "https://api.example.com/v1/books/5/reviews")
    #expect(session.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
  }

  @Test func controllerIsTestedWithStub() async throws {
    let url = try #require(URL(string: "https://api.example.com"))
    let controller = ReviewsBusinessController(
      accessible: StubMembers(response: WebServiceResponse(statusCode: 201, url: url)))
    try await controller.add(Review(stars: 5), to: 5)
  }
}
