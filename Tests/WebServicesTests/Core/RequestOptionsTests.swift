import Foundation
import Testing
import WebServices
import WebServicesTesting

@Suite("What a request does in another way than its service")
struct RequestOptionsTests {
  private struct Search: WebServiceRequestData {
    var path = "https://api.example.com/cities"
    var query: (any Encodable & Sendable)? = ["tags": ["a b", "c+d"]]
    var options = RequestOptions()
  }

  private func sentQuery(_ options: RequestOptions) async throws -> String? {
    let bench = Bench { $0.queryEncoder = QueryEncoder(arrays: .repeated) }
    bench.session.script(.get, "/cities", .response())
    _ = try await bench.service.sendRequest(Search(options: options), parser: .nothing)
    return bench.session.requests.first?.url?.query
  }

  @Test("The configuration says how a query is encoded and escaped, unless the request does")
  func query() async throws {
    #expect(try await sentQuery(RequestOptions()) == "tags=a%20b&tags=c%2Bd")
    #expect(
      try await sentQuery(RequestOptions(queryEncoder: QueryEncoder(arrays: .brackets)))
        == "tags%5B%5D=a%20b&tags%5B%5D=c%2Bd")
    #expect(try await sentQuery(RequestOptions(queryEscaping: .form)) == "tags=a+b&tags=c%2Bd")
  }
}
