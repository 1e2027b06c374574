@testable import WebServicesTestSupport

// sample: graphQLErrors

/// The samples of the article on GraphQL.
@Suite struct GraphQLTests {
  // sample: graphQLRequest

  // sample: graphQLData

  private func showCity(from service: JsonWebService, show: (String) -> Void) async {
    // sample: graphQL
  }

  @Test(arguments: [
    (#"{"data": {"city": {"name": "Bath"}}}"#, "Bath"),
    (#"{"data": null, "errors": [{"message": "no city"}, {"message": "no id"}]}"#, "no city, no id"),
  ])
  func dataOrListOfErrorsIsShown(body: String, shown: String) async throws {
    let session = MockURLSession(["POST /graphql": .json(body)])
    var texts: [String] = []
    await showCity(from: JsonWebService(over: session)) { texts.append($0) }
    expectEqual(texts, [shown])
    let sent = try #require(session.requests.first?.httpBody)
    #expect(
      String(decoding: sent, as: UTF8.self)
        == #"{"query":"query ($id: ID!) { city(id: $id) { name } }","variables":{"id":"7"}}"#)
  }
}
