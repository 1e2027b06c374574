import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on resilience.
@Suite(.leavesNothing) struct ResilienceTests {
  // sample: idempotencyKey

  // sample: reload

  private func makeConfiguration() -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: policies
    return configuration
  }

  private func makePolitelyLimitedConfiguration() -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: rateLimits
    return configuration
  }

  @Test func ownRuleIsPartOfThePolicy() {
    var configuration = makeConfiguration()
    // sample: ownRule
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    let stops = [2, 3].map { if case .stop = configuration.retry.rule?(.failure(lost), $0) { true } else { false } }
    #expect(stops == [false, true])
  }

  @Test func ruleRepeatsAChangedPost() async throws {
    let harness = VirtualHarness.scripted { configuration in
      // sample: retryRule
      configuration.baseURL = URL(string: "https://api.example.com")
    }
    harness.session.script(.post, "/jobs", .status(409, headers: ["X-Session-Id": "s"]))
    harness.session.script(.post, "/jobs", .json(#"{"wait": 7}"#, status: 429))
    harness.session.script(.post, "/jobs", .status(204))
    async let response = harness.service.sendRequest(Request("jobs", .post), parser: .response)
    func wait(_ seconds: TimeInterval) async {
      await harness.clock.waitForTimer(after: seconds)
      harness.clock.advance(by: seconds)
    }
    await wait(0)
    await wait(7)
    #expect(try await response.statusCode == 204)
    let ids = harness.session.requests.map { $0.value(forHTTPHeaderField: "X-Session-Id") }
    #expect(ids == [nil, "s", "s"])
    harness.session.script(.post, "/early", .status(425))
    harness.session.script(.post, "/early", .status(204))
    async let early = harness.service.sendRequest(Request("early", .post), parser: .response)
    await wait(0.5)
    #expect(try await early.statusCode == 204)
  }

  @Test func politeConfigurationHasLimitsAndRetries() {
    let configuration = makePolitelyLimitedConfiguration()
    #expect(configuration.layers.count == 1 && configuration.retry.attemptLimit == 3)
  }

  @Test func cacheMayBeOnDisk() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = makeConfiguration()
    // sample: diskCache
    // sample: emptyCache
    #expect(configuration.layers.count == 1)
  }
}
