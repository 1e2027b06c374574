@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RedirectTests {
  private typealias Decision = Result<TransportRequest?, RedirectPolicy.Refusal>

  private let request = TransportRequest(url: testURL("https://h/a"))

  private func decision(
    _ status: Int, _ location: String?, request: TransportRequest? = nil, steps: [TransportRequest]? = nil,
    policy: RedirectPolicy = .follow, credentialNames: [String] = [], keepsCookies: Bool = false,
    headers: HTTPHeaders = [:]
  ) -> Decision {
    let redirect = Redirect(
      policy: policy, credentialNames: credentialNames, redaction: Redaction(headerNames: ["Pragma"]),
      keepsCookies: keepsCookies)
    let request = request ?? self.request
    var response = WebServiceResponse(statusCode: status, headers: headers, url: request.url)
    response.headers["Location"] = location
    return Result { () throws(RedirectPolicy.Refusal) in
      try redirect.next(of: response, to: request, after: steps ?? [request])
    }
  }

  private func next(_ decision: Decision) throws -> TransportRequest {
    guard case .success(let request?) = decision else {
      throw WebServiceError(.unexpected, message: "not followed: \(decision)")
    }
    return request
  }

  private func refusal(_ decision: Decision) -> RedirectPolicy.Refusal? {
    if case .failure(let error) = decision { error } else { nil }
  }

  private func isNone(_ decision: Decision) -> Bool { if case .success(nil) = decision { true } else { false } }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
    (303, "GET", "GET"), (301, "GET", "GET"), (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (301, "PUT", "PUT"),
    (302, "PATCH", "PATCH"), (307, "POST", "POST"), (308, "POST", "POST"), (307, "PUT", "PUT"),
    (308, "DELETE", "DELETE"), (307, "GET", "GET"),
  ])
  func methodAndBodyFollowTheStatus(status: Int, method: String, expected: String) throws {
    var request = request
    request.method = HTTPMethod(rawValue: method)
    request.body = .data(Data("x".utf8))
    let fieldsOfBody =
      ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"]
      + ["content-digest", "Content-Disposition", "Digest", "Repr-Digest", "Last-Modified", "Expect"]
    request.headers = ["Accept": "a/b"]
    for name in fieldsOfBody { request.headers[name] = "x" }
    let next = try next(decision(status, "/b", request: request))
    expectEqual(next.method.rawValue, expected)
    expectEqual(next.url.absoluteString, "https://h/b")
    let keepsBody = method == expected && (status, method) != (303, "GET")
    if case .data = next.body { #expect(keepsBody) } else { #expect(!keepsBody) }
    for name in fieldsOfBody { expectEqual(next.headers[name], keepsBody ? "x" : nil) }
    expectEqual(next.headers["Accept"], "a/b")
  }

  @Test func otherResponsesAreNoRedirect() {
    for status in [200, 300, 304, 305, 306, 400] { #expect(isNone(decision(status, "/b")), "\(status)") }
    #expect(isNone(decision(302, nil)) && isNone(decision(302, "/b", policy: .doNotFollow)))
  }

  @Test(arguments: [
    ("https://h/a", "/b", true), ("https://h/a", "https://H:443/b", true), ("https://h/a", "https://h:444/b", false),
    ("https://h/a", "https://i/b", false), ("https://h/a", "//i/b", false), ("http://h/a", "https://h/b", false),
    ("http://h:80/a", "http://h/b", true), ("https://h/a", "https://h.evil.example/b", false),
    ("https://h/a", "https://x@h/b", true), ("https://h/a", "https://h@evil.example/", false),
  ])
  func secretsStayWithTheOrigin(from: String, to: String, stays: Bool) throws {
    var request = TransportRequest(url: testURL(from))
    request.headers = [
      "authorization": "1", "Host": "2", "X-Unknown": "3", "pragma": "4", "date": "5", "ACCEPT": "6", "If-Match": "7",
    ]
    let next = try next(decision(307, to, request: request, credentialNames: ["Date"]))
    expectEqual(next.headers.map(\.value), (stays ? ["1", "2", "3", "4", "5", "6", "7"] : ["6", "7"]))
    expectEqual(next.url.user, nil)
  }

  @Test func loopsFailWithTheirChain() throws {
    let (first, second) = (request, TransportRequest(url: testURL("https://h/b")))
    let error = try #require(refusal(decision(302, "/a", request: second, steps: [first, second])))
    expectEqual(error.reason, .loop)
    expectEqual(error.chain, [first.url, second.url])
    #expect(error.description.hasSuffix("https://h/a -> https://h/b"))
    let post = TransportRequest(method: .post, url: first.url)
    #expect(try next(decision(303, "/a", request: post)).method == .get, "another method is another request")
    let many = Array(repeating: first, count: 21)
    expectEqual(refusal(decision(302, "/c", steps: many))?.reason, .tooMany)
    expectEqual(refusal(decision(302, "/c", steps: many.dropLast()))?.reason, nil)
  }

  @Test func onlyARedirectThatSetsACookieMayLeadBack() throws {
    let cookie: HTTPHeaders = ["Set-Cookie": "a=1"]
    expectEqual(refusal(decision(302, "/a", keepsCookies: true))?.reason, .loop)
    expectEqual(refusal(decision(302, "/a", headers: cookie))?.reason, .loop)
    expectEqual(try next(decision(302, "/a", keepsCookies: true, headers: cookie)).url, request.url)
  }

  @Test func bodyStaysWithTheOriginUnlessThePolicySaysOtherwise() throws {
    let bodies: [TransportBody] = [
      .data(Data("{}".utf8)), .data(Data([0x89])), .file(URL(fileURLWithPath: "/a")), .stream(PieceStream(["x"])),
    ]
    for (body, status) in zip(bodies, [307, 308, 307, 308]) {
      let request = TransportRequest(method: .put, url: request.url, body: body)
      let error = refusal(decision(status, "https://other/b", request: request))
      #expect(error?.reason == .bodyToOtherOrigin && error?.description.contains("sendsBodyToOtherOrigins") == true)
      expectEqual(try next(decision(status, "/b", request: request)).body.isEmpty, false)
      #expect(try next(decision(303, "https://other/b", request: request)).body.isEmpty)
      let allowing = RedirectPolicy(sendsBodyToOtherOrigins: true)
      expectEqual(try next(decision(status, "https://other/b", request: request, policy: allowing)).body.isEmpty, false)
    }
    for body in [TransportBody.none, .data(Data())] {
      let request = TransportRequest(method: .post, url: request.url, body: body)
      expectEqual(try next(decision(307, "https://other/b", request: request)).method, .post)
    }
    let once = TransportBody.stream(PieceStream([], isReplayable: false))
    let request = TransportRequest(method: .post, url: request.url, body: once)
    expectEqual(refusal(decision(307, "/b", request: request))?.reason, .bodyNotReplayable)
    expectEqual(try next(decision(303, "/b", request: request)).method, .get)
  }

  @Test func fragmentIsAddedOnce() {
    let response = WebServiceResponse(statusCode: 200, url: testURL("http://h.example/#a"))
    expectEqual(response.with(fragment: "a").url.absoluteString, "http://h.example/#a")
  }

  @Test func fragmentIsInheritedByTheNextRedirect() throws {
    let first = try next(decision(302, "/b#one two"))
    expectEqual(first.url.absoluteString, "https://h/b")
    expectEqual(first.fragment, "one%20two")
    for (location, fragment) in [("/c", "one%20two"), ("/c#", ""), ("/c#d", "d")] {
      expectEqual(try next(decision(302, location, request: first)).fragment, fragment)
    }
  }

  @Test func otherSchemesAndDowngradesAreRefused() {
    expectEqual(refusal(decision(302, "http://h/a"))?.reason, .downgrade)
    for location in [
      "ftp://h/", "javascript:alert(1)", "mailto:a@b", "http://", "https:///x", "http://a b/", "1:x", "x\r\ny",
      "https://h:99999/b",
    ] { expectEqual(refusal(decision(302, location))?.reason, .invalidLocation) }
  }

  /// A server decides how many redirects and parts a download has.
  @Test func secretsOfTheFirstRequestsOfALongChainAreForgotten() throws {
    var last = request
    for number in 0...300 { last = try next(decision(302, "/b?token=secret-\(number)-", request: last)) }
    let text = Redaction.standard.hiding(secretsOf: last).text("secret-0- secret-200- secret-300-")
    expectEqual(text, "secret-0- <redacted> <redacted>")
  }
}
