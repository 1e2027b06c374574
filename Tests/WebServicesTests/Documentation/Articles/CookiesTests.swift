import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on cookies.
@Suite
struct CookiesTests {
  // sample: csrf
  struct RequestDataForOrder: WebServiceRequestData {
    var jar: CookieJar
    var url: URL
    let path = "orders"
    let method = HTTPMethod.post
    var headers: HTTPHeaders {
      let token = jar.cookies(for: url).first { $0.name == "XSRF-TOKEN" }
      return token.map { ["X-XSRF-TOKEN": $0.value] } ?? [:]
    }
  }
  // end of sample

  @Test func cookiesTokenIsSentInAHeader() async throws {
    let url = try #require(URL(string: "https://shop.example.com"))
    var configuration = WebServiceConfiguration(baseURL: url)
    let cache = ResponseCache()
    // sample: cookies
    let jar = CookieJar()
    configuration.layers = [.cookies(jar), .cache(cache), .coalescing]
    // end of sample
    let session = MockURLSession()
    session.script(.get, "/", .response(headers: ["Set-Cookie": "XSRF-TOKEN=t0ken; Path=/; Secure"]))
    session.script(.post, "/orders", .response(status: 201))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    try await service.sendRequest(RequestDataForStart(), parser: .nothing)
    try await service.sendRequest(RequestDataForOrder(jar: jar, url: url), parser: .nothing)
    let sent = session.requests.last
    #expect(sent?.value(forHTTPHeaderField: "X-XSRF-TOKEN") == "t0ken")
    #expect(sent?.value(forHTTPHeaderField: "Cookie") == "XSRF-TOKEN=t0ken")
  }

  private struct RequestDataForStart: WebServiceRequestData {
    let path = ""
  }
}
