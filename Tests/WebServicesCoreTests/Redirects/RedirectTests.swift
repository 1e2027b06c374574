@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RedirectTests {
  private typealias Decision = Result<TransportRequest?, RedirectPolicy.Refusal>

  private let policy = RedirectPolicy.follow

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func decision(
    _ status: Int, _ location: String?, request: TransportRequest, steps: [Redirect.Step]? = nil,
    policy: RedirectPolicy = .follow, credentialNames: [String] = [], keepsCookies: Bool = false,
    headers: HTTPHeaders = [:]
  ) -> Decision {
    let redirect = Redirect(
      policy: policy, credentialNames: credentialNames, redaction: Redaction(headerNames: ["Pragma"]),
      keepsCookies: keepsCookies)
    var response = WebServiceResponse(statusCode: status, headers: headers, url: request.url)
    response.headers["Location"] = location
    return Result { () throws(RedirectPolicy.Refusal) in
      try redirect.next(of: response, to: request, after: steps ?? [Redirect.Step(request)])
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

  @Test(
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
      (301, "GET", "GET"), (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (302, "PATCH", "PATCH"),
      (307, "POST", "POST"), (308, "POST", "POST"), (307, "PUT", "PUT"), (308, "DELETE", "DELETE"), (307, "GET", "GET"),
    ])
  func methodAndBodyFollowTheStatus(status: Int, method: String, expected: String) throws {
    var request = TransportRequest(method: HTTPMethod(rawValue: method), url: try url("https://h/a"))
    request.body = .data(Data("x".utf8))
    let fieldsOfBody = ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"]
    request.headers = ["Accept": "a/b"]
    for name in fieldsOfBody { request.headers[name] = "x" }
    let next = try next(decision(status, "/b", request: request))
    expectEqual(next.method.rawValue, expected)
    expectEqual(next.url.absoluteString, "https://h/b")
    let keepsBody = method == expected
    if case .data = next.body { #expect(keepsBody) } else { #expect(!keepsBody) }
    for name in fieldsOfBody { expectEqual(next.headers[name], keepsBody ? "x" : nil) }
    expectEqual(next.headers["Accept"], "a/b")
  }

  @Test(arguments: [200, 300, 304, 305, 306, 400])
  func otherStatusesAreNoRedirect(status: Int) throws {
    guard case .success(nil) = decision(status, "/b", request: TransportRequest(url: try url("https://h/a"))) else {
      Issue.record("\(status) was followed")
      return
    }
  }

  @Test func redirectWithoutLocationIsNotFollowed() throws {
    let request = TransportRequest(url: try url("https://h/a"))
    for decision in [decision(302, nil, request: request), decision(302, "/b", request: request, policy: .doNotFollow)]
    {
      guard case .success(nil) = decision else {
        Issue.record("it was followed")
        return
      }
    }
  }

  @Test(
    arguments: [
      ("https://h/a", "/b", true), ("https://h/a", "https://H:443/b", true), ("https://h/a", "https://h:444/b", false),
      ("https://h/a", "https://i/b", false), ("https://h/a", "//i/b", false), ("http://h/a", "https://h/b", false),
      ("http://h:80/a", "http://h/b", true), ("https://h/a", "https://h.evil.example/b", false),
      ("https://h/a", "https://x@h/b", true), ("https://h/a", "https://h@evil.example/", false),
    ])
  func secretsStayWithTheOrigin(from: String, to: String, stays: Bool) throws {
    var request = TransportRequest(url: try url(from))
    request.headers = [
      "authorization": "1", "Host": "2", "X-Unknown": "3", "pragma": "4", "date": "5", "ACCEPT": "6", "If-Match": "7",
    ]
    let next = try next(decision(307, to, request: request, credentialNames: ["Date"]))
    expectEqual(next.headers.map(\.value), (stays ? ["1", "2", "3", "4", "5", "6", "7"] : ["6", "7"]))
    expectEqual(next.url.user, nil)
  }

  @Test func httpsIsNotDowngraded() throws {
    let request = TransportRequest(url: try url("https://h/a"))
    expectEqual(refusal(decision(302, "http://h/a", request: request))?.reason, .downgrade)
  }

  @Test func loopsFailWithTheirChain() throws {
    let first = TransportRequest(url: try url("https://h/a"))
    let second = TransportRequest(url: try url("https://h/b"))
    let steps = [first, second].map(Redirect.Step.init)
    let error = try #require(refusal(decision(302, "/a", request: second, steps: steps)))
    expectEqual(error.reason, .loop)
    expectEqual(error.chain, [first.url, second.url])
    #expect(error.description.hasSuffix("https://h/a -> https://h/b"))
    let post = TransportRequest(method: .post, url: first.url)
    #expect(try next(decision(303, "/a", request: post)).method == .get, "another method is another request")
    let many = (0...20).map { _ in Redirect.Step(first) }
    expectEqual(refusal(decision(302, "/c", request: first, steps: many))?.reason, .tooMany)
    expectEqual(refusal(decision(302, "/c", request: first, steps: many.dropLast()))?.reason, nil)
  }

  @Test func onlyARedirectThatSetsACookieMayLeadBack() throws {
    let request = TransportRequest(url: try url("https://h/a"))
    for (keepsCookies, headers) in [(true, [:]), (false, ["Set-Cookie": "a=1"])] as [(Bool, HTTPHeaders)] {
      let decision = decision(302, "/a", request: request, keepsCookies: keepsCookies, headers: headers)
      expectEqual(refusal(decision)?.reason, .loop)
    }
    let cookie: HTTPHeaders = ["Set-Cookie": "a=1"]
    expectEqual(
      try next(decision(302, "/a", request: request, keepsCookies: true, headers: cookie)).url, request.url)
  }

  @Test func bodyStaysWithTheOriginUnlessThePolicySaysOtherwise() throws {
    let bodies: [TransportBody] = [
      .data(Data("{}".utf8)), .data(Data([0x89])), .file(URL(fileURLWithPath: "/a")), .stream(PieceStream(["x"])),
    ]
    for (body, status) in zip(bodies, [307, 308, 307, 308]) {
      let request = TransportRequest(method: .put, url: try url("https://h/a"), body: body)
      let error = refusal(decision(status, "https://other/b", request: request))
      #expect(error?.reason == .bodyToOtherOrigin && error?.description.contains("sendsBodyToOtherOrigins") == true)
      expectEqual(try next(decision(status, "/b", request: request)).body.isEmpty, false)
      #expect(try next(decision(303, "https://other/b", request: request)).body.isEmpty)
      let allowing = RedirectPolicy(sendsBodyToOtherOrigins: true)
      expectEqual(try next(decision(status, "https://other/b", request: request, policy: allowing)).body.isEmpty, false)
    }
    for body in [TransportBody.none, .data(Data())] {
      let request = TransportRequest(method: .post, url: try url("https://h/a"), body: body)
      expectEqual(try next(decision(307, "https://other/b", request: request)).method, .post)
    }
  }

  @Test func unrepeatableBodyIsNotSentAgain() throws {
    var request = TransportRequest(method: .post, url: try url("https://h/a"))
    request.body = .stream(PieceStream([], isReplayable: false))
    expectEqual(refusal(decision(307, "/b", request: request))?.reason, .bodyNotReplayable)
    expectEqual(try next(decision(303, "/b", request: request)).method, .get)
  }

  @Test func fragmentIsInheritedByTheNextRedirect() throws {
    let first = try next(decision(302, "/b#one two", request: TransportRequest(url: try url("https://h/a"))))
    expectEqual(first.url.absoluteString, "https://h/b")
    expectEqual(first.fragment, "one%20two")
    expectEqual(try next(decision(302, "/c", request: first)).fragment, "one%20two")
    expectEqual(try next(decision(302, "/c#", request: first)).fragment, "")
    expectEqual(try next(decision(302, "/c#d", request: first)).fragment, "d")
  }

  @Test(
    arguments: [
      "ftp://h/", "javascript:alert(1)", "mailto:a@b", "http://", "https:///x", "http://a b/", "1:x", "x\r\ny",
      "https://h:99999/b",
    ])
  func otherSchemesAreRefused(location: String) throws {
    let request = TransportRequest(url: try url("https://h/a"))
    expectEqual(refusal(decision(302, location, request: request))?.reason, .invalidLocation)
  }
}
