@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import Testing
  import WebServices
  @testable import WebServicesHTTP
  @testable import WebServicesTransport
  import WebServicesTesting

  struct CurlRequestPlanTests {
    private let url = URL(string: "http://example.com/a") ?? URL(fileURLWithPath: "/")

    private func plan(_ request: TransportRequest) throws -> CurlRequestPlan {
      try CurlRequestPlan(request, defaults: TransportRequest.Timeouts(idle: 60))
    }

    @Test func methodAndBodyDecideThePlansShape() throws {
      let body = TransportBody.data(Data("a".utf8))
      #expect(try plan(TransportRequest(url: url)).shape == .plain)
      #expect(try plan(TransportRequest(method: .delete, url: url)).shape == .plain)
      #expect(try plan(TransportRequest(method: .head, url: url)).shape == .headOnly)
      #expect(try plan(TransportRequest(method: .patch, url: url)).shape == .sending)
      #expect(try plan(TransportRequest(url: url, body: body)).shape == .sending)
      #expect(throws: TransportError.self) { try plan(TransportRequest(method: .head, url: url, body: body)) }
    }

    @Test func headerLinesAreFormatted() throws {
      let headers: HTTPHeaders = [
        "X-A": "1", "X-B": "", "content-length": "9", "Transfer-Encoding": "chunked",
      ]
      let codings = try #require(ContentCoding.accepted)
      #expect(
        CurlRequestPlan.headerLines(headers, shape: .plain) == ["X-A: 1", "X-B;", "Accept-Encoding: " + codings])
      #expect(
        CurlRequestPlan.headerLines(headers, shape: .sending) == [
          "X-A: 1", "X-B;", "Accept-Encoding: " + codings, "Content-Type:", "Expect:",
        ])
      let described: HTTPHeaders = ["Content-Type": "a", "accept-encoding": "b"]
      #expect(
        CurlRequestPlan.headerLines(described, shape: .sending)
          == ["Content-Type: a", "accept-encoding: b", "Expect:"])
    }

    @Test func timeoutsAreConverted() throws {
      var request = TransportRequest(url: url, timeouts: .init(connect: 0.0004, whole: 1.9))
      let plan = try plan(request)
      #expect(plan.connectTimeout == 1)
      #expect(plan.idleTimeout == 60_000_000_000)
      #expect(plan.wholeTimeout == 1_900_000_000)
      request.timeouts.idle = 0
      #expect(throws: TransportError.self) { try self.plan(request) }
    }

    @Test(arguments: [
      ("http://a.example/x", "http://a.example/x", "http://a.example"),
      ("HTTPS://A.example:8443?q#f", "https://a.example:8443/?q", "https://a.example:8443"),
      ("http://u:p@[::1]:80", "http://[::1]/", "http://[::1]"),
      ("http://u@x@host/@", "http://host/@", "http://host"),
    ])
    func urlsArePreparedForLibcurl(_ text: String, _ url: String, _ origin: String) throws {
      let plan = try plan(TransportRequest(url: testURL(text)))
      #expect(plan.target.text == url)
      #expect(plan.target.origin.text == origin)
      #expect(plan.target.origin.isSecure == origin.hasPrefix("https"))
    }

    @Test(arguments: [
      "", "/a", "ftp://a/b", "http:/a", "http://", "http:///a", "http://u@/a", "http://:80/", "http://a\\@b/",
      "http://a b/", "http://a/\r\nX: 1", "file:///etc/passwd", "http",
    ])
    func invalidURLsAreRefused(_ text: String) throws {
      #expect(throws: HTTPURL.Invalid.self) { try HTTPURL(text) }
      // Foundation escapes some of these characters, which makes other URLs.
      guard let url = URL(string: text), url.absoluteString == text else { return }
      #expect(throws: TransportError.self) { try self.plan(TransportRequest(url: url)) }
    }
  }
#endif
