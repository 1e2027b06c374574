import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// sample: ownOption
private enum TenantKey: RequestOptions.Key {
  static var defaultValue: String? { nil }
}

nonisolated extension RequestOptions {
  /// The tenant whose data the request is about.
  var tenant: String? {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }
}

/// Sends the tenant of a request as a header field.
struct TenantSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    var request = request
    request.headers["X-Tenant"] = request.options.tenant
    return next.transferTask(with: request, completion: completion)
  }
}
// end of sample

/// The samples of the article on describing requests.
@Suite struct DescribingRequestsTests {
  // sample: pathParameter
  struct RequestDataForPosts: WebServiceRequestData {
    var author: String
    var path: String { "users/\(segment: author)/posts" }
  }
  // end of sample

  // sample: pathParameters
  struct RequestDataForObject: WebServiceRequestData {
    var key: String
    var path: String { "buckets/photos/\(segments: key)" }
  }
  // end of sample

  // sample: queryItems
  struct RequestDataForSearch: WebServiceRequestData {
    var text: String
    var path: String { "cities/search" }
    var queryItems: [String: String] { ["text": text, "limit": "10"] }
  }
  // end of sample

  // sample: queryValue
  nonisolated struct CityFilter: Encodable, Sendable {
    var tags: [String]
    var isCapital: Bool
  }

  struct RequestDataForCities: WebServiceRequestData {
    var filter: CityFilter
    var path: String { "cities" }
    var query: CityFilter { filter }
  }
  // end of sample

  // sample: jsonBody
  struct RequestDataForNewCity: WebServiceRequestData {
    var name: String
    var path: String { "cities" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { ["name": name, "districts": ["Camden", "Brent"]] }
  }
  // end of sample

  // sample: modelBody
  struct RequestDataForRenaming: WebServiceRequestData {
    var city: City
    var path: String { "cities/7" }
    var method: HTTPMethod { .put }
    var body: City { city }
  }
  // end of sample

  // sample: multipart
  struct RequestDataForNewPhoto: WebServiceRequestData {
    var title: String
    var photo: URL
    var path: String { "photos" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .multipart(MultipartBody([.field("title", title), .file("photo", photo)])) }
  }
  // end of sample

  // sample: headers
  struct RequestDataForNews: WebServiceRequestData {
    var path: String { "news" }
    var headers: HTTPHeaders {
      var headers: HTTPHeaders = ["X-Edition": "morning"]
      headers["Accept-Language"] = "cy, en;q=0.5"
      return headers
    }
  }
  // end of sample

  // sample: options
  struct RequestDataForReport: WebServiceRequestData {
    var path: String { "reports/yearly" }
    var options: RequestOptions {
      RequestOptions {
        $0.timeout = 120
        $0.redirects = .doNotFollow
        $0.retry = .standard
        $0.priority = .low
      }
    }
  }
  // end of sample

  private func bodies(city: City, name: String, video: URL, png: Data) -> [RequestBody] {
    // sample: bodies
    let json = RequestBody.json(city)
    let form = RequestBody.form(["name": name, "country": "GB"])
    let text = RequestBody.text("Dear city, …")
    let bytes = RequestBody.data(png, contentType: "image/png")
    let file = RequestBody.file(video)
    let smaller = RequestBody.json(city).compressed()
    // end of sample
    return [json, form, text, bytes, file, smaller]
  }

  private func nestedBody(name: String) -> RequestBody {
    // sample: nestedBody
    let body: RequestBody = [
      "name": name, "nick": nil,
      "position": ["latitude": 51.4, "place": "Bath", "tags": ["spa", 7] as JSONLiteral] as JSONLiteral,
    ]
    // end of sample
    return body
  }

  private func sequenceBodies(rows: AsyncStream<String>, pieces: AsyncStream<Data>) -> [RequestBody] {
    // sample: sequenceBody
    let report = RequestBody.stream(rows.map { Data("\($0)\n".utf8) }, contentType: "text/csv")
    let copy = RequestBody.stream(pieces, contentType: "application/octet-stream")
    // end of sample
    return [report, copy]
  }

  private func makeConfiguration() -> WebServiceConfiguration {
    // sample: commonConfiguration
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))
    configuration.headers["User-Agent"] = "Atlas/1.0"
    configuration.queryItems = [URLQueryItem(name: "units", value: "metric")]
    configuration.timeout = 30
    configuration.queryEncoder = QueryEncoder(arrays: .brackets, booleans: .numeric)
    // end of sample
    return configuration
  }

  @Test func requestNeedsNoTypeOfItsOwn() async throws {
    let session = MockURLSession()
    session.script(.get, "/v1/cities/7", .json(#"{"name": "Bath"}"#))
    session.script(.post, "/v1/cities", .response(status: 201))
    let service = JsonWebService(
      session: session, reachability: FakeReachability(), configuration: makeConfiguration())
    // sample: untyped
    let city = try await service.sendRequest(Request("cities/7"), as: City.self)
    let copy = Request("cities", .post, body: city).header("X-Edition", "morning").timeout(5)
    try await service.sendRequest(copy, parser: .nothing)
    let urgent = RequestDataForNews().with { $0.options.deadline = 3 }
    // end of sample
    #expect(urgent.options.deadline == 3 && urgent.path == "news")
    #expect(session.requests.last?.httpBody == Data(#"{"name":"Bath"}"#.utf8))
  }

  @Test func ownOptionReachesWrappingSession() async throws {
    struct RequestDataForInvoices: WebServiceRequestData {
      var path: String { "invoices" }
      var options: RequestOptions { RequestOptions { $0.tenant = "north" } }
    }
    let session = MockURLSession()
    let service = JsonWebService(
      session: TenantSession(next: session), reachability: FakeReachability(), configuration: makeConfiguration())
    _ = try? await service.sendRequest(RequestDataForInvoices(), parser: .nothing)
    _ = try? await service.sendRequest(RequestDataForNews(), parser: .nothing)
    #expect(session.requests.map { $0.value(forHTTPHeaderField: "X-Tenant") } == ["north", nil])
  }
}
