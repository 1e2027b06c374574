@testable import WebServicesTestSupport

/// The curl command that a service makes for a request. `CurlCommandTests` checks the command alone.
@Suite(.leavesNothing) struct CurlCommandOfServiceTests {
  private struct NewCity: WebServiceRequestData {
    var path = "cities"
    var options = RequestOptions()
    var method: HTTPMethod { .post }
    var queryItems: [URLQueryItem] { [("page", "7"), ("pin", "1234")].map { URLQueryItem(name: $0, value: $1) } }
    var authorization: WebServiceAuthorizationType { .bearer }
    var body: RequestBody? { .json(["name": "Bath"]) }
  }

  private func harness() -> VirtualHarness<MockURLSession> {
    let url = URL(string: "https://api.example.com/v1")
    return VirtualHarness.scripted { configuration in
      configuration.baseURL = url
      configuration.headers["User-Agent"] = "Feather"
      configuration.redaction = Redaction(fieldNames: ["pin"])
    }
  }

  @Test func curlLineShowsRequestWithoutSecrets() throws {
    let harness = harness()
    let command = try harness.service.curlCommand(for: NewCity())
    let revealed = command.revealingSecrets()
    for part in [
      "--request POST", "'User-Agent: Feather'", "'Accept: application/json'", "'Content-Type: application/json'",
      #"'{"name":"Bath"}'"#, "https://api.example.com/v1/cities?page=7&pin=1234",
    ] {
      #expect(revealed.contains(part))
    }
    #expect(!revealed.contains("Authorization"))
    #expect(command.description.contains("page=7"))
    #expect(!command.description.contains("1234"))
    #expect(
      try harness.service.curlCommand(for: NewCity(), accept: "text/csv").description.contains("Accept: text/csv"))
    #expect(harness.session.requests.isEmpty)
  }

  @Test func secretsOfCurlLineAreRevealedOnDemand() throws {
    let harness = harness()
    var request = TestRequest(method: .post, authorization: .basic(user: "me", password: "Zq7Xw9Kv2"))
    let parts = [MultipartBody.Part.field("title", "Lunch"), .field("pin", "Zq7Xw9Kv2")]
    request.body = .multipart(MultipartBody(parts, boundary: "b"))
    let command = try harness.service.curlCommand(for: request)
    let credentials = Data("me:Zq7Xw9Kv2".utf8).base64EncodedString()
    let revealed = command.revealingSecrets()
    for text in ["'Authorization: Basic \(credentials)'", "Lunch", "Zq7Xw9Kv2"] { #expect(revealed.contains(text)) }
    #expect(!revealed.contains("#"))
    for text in [command.description, String(reflecting: command)] {
      #expect(text.contains("Authorization: <redacted>") && text.contains("Lunch"))
      #expect(!text.contains("Zq7") && !text.contains(credentials))
    }
    request.body = .multipart(MultipartBody(parts + [.data("photo", Data([0xFF, 0]), fileName: "a.jpg")]))
    #expect(try harness.service.curlCommand(for: request).revealingSecrets().contains("--data-binary '@-'"))
    #expect(try harness.service.curlCommand(for: request).description.contains("is no text and left out"))
    request.authorization = .bearer("Zq7Xw9Kv2")
    #expect(
      try harness.service.curlCommand(for: request).revealingSecrets().contains("'Authorization: Bearer Zq7Xw9Kv2'"))
    #expect(harness.session.requests.isEmpty)
  }

  @Test func invalidRequestFailsTheCurlLine() throws {
    let harness = harness()
    let error = #expect(throws: WebServiceError.self) {
      try harness.service.curlCommand(for: NewCity(path: "../admin?pin=1234"))
    }
    #expect(error?.kind == .badURL && error?.phase == .describe && error?.method == .post)
    expectEqual(error.map { "\($0)".contains("1234") }, false)
    #expect(throws: WebServiceError.self) {
      try harness.service.curlCommand(for: NewCity(options: RequestOptions { $0.timeout = -1 }))
    }
  }
}
