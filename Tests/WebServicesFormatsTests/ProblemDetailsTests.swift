@testable import WebServicesTestSupport

@Suite struct ProblemDetailsTests {
  private func problem(
    _ json: String, contentType: String? = "application/problem+json"
  ) -> ProblemDetails? {
    let headers: HTTPHeaders = contentType.map { ["Content-Type": $0] } ?? [:]
    return ProblemDetails(
      response: WebServiceResponse(statusCode: 403, headers: headers, url: cityURL, body: Data(json.utf8)))
  }

  @Test func extensionsAreRead() throws {
    let problem = try #require(
      self.problem(
        """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
         "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
         "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
        """))
    expectEqual(
      problem,
      ProblemDetails(
        type: "https://example.com/probs/out-of-credit", title: "You do not have enough credit.",
        detail: "Your current balance is 30, but that costs 50.", instance: "/account/12345/msgs/abc",
        extensions: ["balance": 30, "accounts": ["/account/12345", "/account/67890"]]))
    expectEqual(problem["balance"]?.integer, 30)
    expectEqual(problem.localizedDescription, "Your current balance is 30, but that costs 50.")
    expectEqual(problem.failureReason, "You do not have enough credit.")
    #expect(problem.description.hasSuffix("instance /account/12345/msgs/abc, with accounts, balance"))
  }

  @Test func missingMembersAndMembersOfWrongTypeAreIgnored() {
    expectEqual(problem("{}"), ProblemDetails())
    expectEqual(ProblemDetails().description, "problem: no details")
    expectEqual(ProblemDetails(title: "Gone").errorDescription, "Gone")
    expectEqual(
      problem(#"{"type":1,"title":[],"status":"403","detail":{},"instance":true,"x":null}"#),
      ProblemDetails(extensions: ["x": .null]))
    expectEqual(ProblemDetails(title: "Gone").failureReason, nil)
    for status in [100, 599] { expectEqual(problem("{\"status\":\(status)}"), ProblemDetails(status: status)) }
    for status in ["99", "600", "-1", "1e30", "403.5", "null"] {
      expectEqual(problem("{\"status\":\(status),\"title\":\"t\"}"), ProblemDetails(title: "t"))
    }
  }

  @Test func onlyProblemMediaTypeIsRead() {
    #expect(problem("{}", contentType: "application/problem+json; charset=utf-8") != nil)
    #expect(problem("{}", contentType: "Application/Problem+JSON") != nil)
    for other in ["application/json", "application/problem+xml", "text/html", "", nil] {
      expectEqual(problem("{}", contentType: other), nil)
    }
    for body in ["", "[]", "1", "null", "{", "{\"title\":\"x\"", "\"x\""] {
      expectEqual(problem(body), nil)
    }
  }

  @Test func tooDeepMembersAreLeftOut() {
    for depth in [200, 500] {
      let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      expectEqual(problem("{\"title\":\"t\",\"x\":\(deep)}"), ProblemDetails(title: "t"))
    }
    let deep = String(repeating: "[", count: 100_000)
    expectEqual(problem("{\"x\":\(deep)"), nil)
  }

  @Test func descriptionsHideSecrets() {
    let problem = ProblemDetails(
      type: "https://u:abc@h/p?token=abc", title: "bad password=abc", detail: #"{"token":"abc"}"#,
      instance: "/p?token=abc", extensions: ["token": "abc", "password=abc": 1])
    #expect(!problem.description.contains("abc"))
    #expect(problem.description.contains("with password=<redacted> token"))
  }

  @Test func onlyAFailedResponseHasAProblem() {
    for status in [399, 400, 599, 600] {
      let response = WebServiceResponse(
        statusCode: status, headers: ["Content-Type": "application/problem+json"], url: testURL("https://h/"),
        body: Data("{}".utf8))
      let isTaken = (try? ResponseValidator.problemDetails.validate(response)) != nil
      expectEqual(isTaken, !(400...599).contains(status))
    }
  }
}
