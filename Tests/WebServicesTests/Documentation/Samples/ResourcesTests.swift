@testable import WebServicesTestSupport

// sample: backend

// sample: resources

// sample: injected

// sample: stub

/// The samples of the article on typed resources.
@Suite struct ResourcesTests {
  @Test func accessorsSendOpenAndAuthorizedResources() async throws {
    let session = MockURLSession([
      "GET /v1/books/5": .json(#"{"title": "Emma"}"#), "POST /v1/books/5/reviews": .status(201),
    ])
    let service = JsonWebService(over: session, tokens: FakeTokenManager(token: "t0ken"))
    // sample: access
    expectEqual(book.title, "Emma")
    expectEqual(session.requests.last?.url?.absoluteString, "https://api.example.com/v1/books/5/reviews")
    expectEqual(session.fields("Authorization").last, "Bearer t0ken")
  }

  @Test func controllerIsTestedWithStub() async throws {
    let url = try #require(URL(string: "https://api.example.com"))
    let controller = ReviewsBusinessController(
      accessible: StubMembers(response: WebServiceResponse(statusCode: 201, url: url)))
    try await controller.add(Review(stars: 5), to: 5)
  }
}
