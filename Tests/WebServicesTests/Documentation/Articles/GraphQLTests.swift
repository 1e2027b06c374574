import Foundation
import Testing
import WebServices
import WebServicesTesting

// sample: graphQLErrors
nonisolated struct GraphQLErrors: Error, Decodable {
  struct Item: Decodable {
    var message: String
  }
  var errors: [Item]
}

nonisolated extension ResponseValidator {
  static let graphQL = serverErrors(GraphQLErrors.self, statusCodes: 200...599)
}
// end of sample

/// The samples of the article on GraphQL.
@Suite struct GraphQLTests {
  // sample: graphQLRequest
  struct RequestDataForGraphQL<Variables: Encodable & Sendable>: WebServiceRequestData {
    var document: String
    var variables: Variables
    var path: String { "graphql" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { ["query": document, "variables": variables] }
    var options: RequestOptions { RequestOptions { $0.validators = [.graphQL] } }
  }
  // end of sample

  // sample: graphQLData
  nonisolated struct GraphQLData<Content: Decodable & Sendable>: Decodable, Sendable {
    var data: Content
  }

  nonisolated struct CityOfQuery: Decodable, Sendable {
    struct City: Decodable, Sendable {
      var name: String
    }
    var city: City
  }
  // end of sample

  private func showCity(from service: JsonWebService, show: (String) -> Void) async {
    // sample: graphQL
    let query = RequestDataForGraphQL(
      document: "query ($id: ID!) { city(id: $id) { name } }", variables: ["id": "7"])
    let parser = ResponseParser.json(GraphQLData<CityOfQuery>.self).map(\.data.city)
    do {
      show(try await service.sendRequest(query, parser: parser).name)
    } catch {
      let messages = error.underlying(as: GraphQLErrors.self)?.errors.map(\.message)
      show(messages?.joined(separator: ", ") ?? error.friendlyDescription)
    }
    // end of sample
  }

  @Test(arguments: [
    (#"{"data": {"city": {"name": "Bath"}}}"#, "Bath"),
    (#"{"data": null, "errors": [{"message": "no city"}, {"message": "no id"}]}"#, "no city, no id"),
  ])
  func dataOrListOfErrorsIsShown(body: String, shown: String) async throws {
    let session = MockURLSession()
    session.script(.post, "/graphql", .json(body))
    let service = JsonWebService(
      session: session, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com")))
    var texts: [String] = []
    await showCity(from: service) { texts.append($0) }
    #expect(texts == [shown])
    let sent = try #require(session.requests.first?.httpBody)
    #expect(
      String(decoding: sent, as: UTF8.self)
        == #"{"query":"query ($id: ID!) { city(id: $id) { name } }","variables":{"id":"7"}}"#)
  }
}
