@testable import WebServicesTestSupport

#if canImport(os)
  // sample: signposts
#endif

/// The samples of the article on seeing what happens.
@Suite struct ObservabilityTests {
  // sample: monitor

  nonisolated private enum Trace {
    @TaskLocal static var parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  }

  @Test func monitorsLogAndMetricsSeeTheRequest() async throws {
    var configuration = WebServiceConfiguration.sample
    let words = Collector<String>()
    let write: @Sendable (String) -> Void = { words.append($0) }
    // sample: monitors
    // sample: contextHeaders
    let session = MockURLSession(["GET /cities": .status(204)])
    let service = JsonWebService(over: session, configuration)
    try await service.sendRequest(TestRequest(path: "cities"), parser: .nothing)
    // sample: metrics
    expectEqual(session.fields("traceparent"), [Trace.parent])
    expectEqual(words.elements.first?.hasPrefix("info: request succeeded"), true)
    #expect(words.elements.contains("requests: 1, retries: 0"))
    log.level = nil
  }

  @Test func curlLineHidesSecrets() throws {
    struct RequestDataForNewCity: WebServiceRequestData {
      var name: String
      var path: String { "cities?api_token=s3cret" }
      var method: HTTPMethod { .post }
      var body: RequestBody? { .json(["name": name]) }
    }
    let service = JsonWebService(over: MockURLSession())
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // sample: curl
    expectEqual(shown.first?.hasPrefix("curl "), true)
    expectEqual(shown.first?.contains("London"), true)
    expectEqual(shown.first?.contains("s3cret"), false)
  }

  @Test func ownSecretsAreHidden() {
    var configuration = WebServiceConfiguration()
    // sample: redaction
    expectEqual(configuration.redaction.url("https://example.com/?iban=GB33").contains("GB33"), false)
  }
}
