import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on cookies.
@Suite
struct CookiesTests {
  // sample: csrf

  @Test func cookiesTokenIsSentInAHeader() async throws {
    let url = try #require(URL(string: "https://shop.example.com"))
    var configuration = WebServiceConfiguration(baseURL: url)
    let cache = ResponseCache()
    // sample: cookies
    let session = MockURLSession()
    session.script(.get, "/", .status(200, headers: ["Set-Cookie": "XSRF-TOKEN=t0ken; Path=/; Secure"]))
    session.script(.post, "/orders", .status(201))
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
