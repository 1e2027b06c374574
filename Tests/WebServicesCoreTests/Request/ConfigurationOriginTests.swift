@testable import WebServicesTestSupport

/// The values of a configuration belong to the origin of its base URL.
@Suite struct ConfigurationOriginTests {
  private func sent(
    base: String?, path: String, hasAgent: Bool = true, hasField: Bool = true, hasItem: Bool = true
  ) async -> (URLRequest?, WebServiceError?) {
    let session = MockURLSession()
    var configuration = WebServiceConfiguration(baseURL: base.flatMap { URL(string: $0) })
    if hasAgent { configuration.headers = ["User-Agent": "Atlas"] }
    if hasField { configuration.headers.add(name: "X-Unknown", value: "s3cr3t") }
    if hasItem { configuration.queryItems = [URLQueryItem(name: "api_key", value: "s3cr3t")] }
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    let request = Request(path, queryItems: [URLQueryItem(name: "q", value: "1")])
    // The session has no response.
    let error = await thrown { try await service.sendRequest(request, parser: .nothing) }
    return (session.requests.first, error)
  }

  @Test(arguments: [
    ("/a", true), ("https://api.example.com/a", true), ("HTTPS://API.example.com:443/a", true),
    ("https://api.example.com/a?api%5Fkey=s3cr3t", true),
    ("http://api.example.com/a", false), ("https://api.example.com:444/a", false),
    ("https://tokens.example.com/a", false), ("https://api.example.com.evil.example/a", false),
  ])
  func otherOriginsGetOnlyHarmlessFields(path: String, isOfBase: Bool) async {
    let (request, _) = await sent(base: "https://api.example.com/v1", path: path)
    expectEqual(request?.value(forHTTPHeaderField: "X-Unknown"), (isOfBase ? "s3cr3t" : nil))
    expectEqual(request?.value(forHTTPHeaderField: "User-Agent"), "Atlas")
    let query = request?.url?.query?.replacingOccurrences(of: "%5F", with: "_")
    expectEqual(query, (isOfBase ? "api_key=s3cr3t&q=1" : "q=1"))
  }

  @Test func withoutABaseURLOnlyHarmlessFieldsCanBeSent() async {
    let path = "https://api.example.com/a"
    for hasField in [true, false] {
      // Items count without a field too.
      let (sent, error) = await sent(
        base: nil, path: path, hasAgent: hasField, hasField: hasField, hasItem: !hasField)
      expectEqual(sent, nil)
      expectEqual(error?.kind, .invalidRequest)
      expectEqual(error?.message.contains("set its baseURL"), true)
    }
    let (harmless, _) = await sent(base: nil, path: path, hasField: false, hasItem: false)
    expectEqual(harmless?.value(forHTTPHeaderField: "User-Agent"), "Atlas")
  }
}
