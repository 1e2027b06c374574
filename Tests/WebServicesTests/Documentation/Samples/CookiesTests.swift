@testable import WebServicesTestSupport

/// The samples of the article on cookies.
@Suite
struct CookiesTests {
  // sample: csrf

  @Test func cookiesTokenIsSentInAHeader() async throws {
    let url = try #require(URL(string: "https://shop.example.com"))
    var configuration = WebServiceConfiguration(baseURL: url)
    let cache = ResponseCache()
    // sample: cookies
    let session = MockURLSession([
      "GET /": .status(200, headers: ["Set-Cookie": "XSRF-TOKEN=t0ken; Path=/; Secure"]), "POST /orders": .status(201),
    ])
    let service = JsonWebService(over: session, configuration)
    try await service.sendRequest(Request(""), parser: .nothing)
    try await service.sendRequest(RequestDataForOrder(jar: jar, url: url), parser: .nothing)
    let sent = session.requests.last
    expectEqual(sent?.value(forHTTPHeaderField: "X-XSRF-TOKEN"), "t0ken")
    expectEqual(sent?.value(forHTTPHeaderField: "Cookie"), "XSRF-TOKEN=t0ken")
  }
}
