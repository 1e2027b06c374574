@testable import WebServicesTestSupport

/// The samples of the article on resilience.
@Suite(.leavesNothing) struct ResilienceTests {
  // sample: idempotencyKey

  // sample: reload

  private func makeConfiguration() -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration.sample
    // sample: policies
    return configuration
  }

  /// Compiled only.
  private func change(_ configuration: inout WebServiceConfiguration, directory: URL) throws {
    // sample: rateLimits
    // sample: diskCache
    // sample: emptyCache
  }

  @Test func ownRuleIsPartOfThePolicy() {
    var configuration = makeConfiguration()
    // sample: ownRule
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    let stops = [2, 3].map { if case .stop = configuration.retry.rule?(.failure(lost), $0) { true } else { false } }
    expectEqual(stops, [false, true])
  }

  @Test func ruleRepeatsAChangedPost() async throws {
    let harness = VirtualHarness.scripted { configuration in
      // sample: retryRule
      configuration.baseURL = URL(string: "https://api.example.com")
    }
    harness.session.script([
      "POST /jobs": .status(409, headers: ["X-Session-Id": "s"]), "POST /jobs": .json(#"{"wait": 7}"#, status: 429),
      "POST /jobs": .status(204), "POST /early": .status(425), "POST /early": .status(204),
    ])
    async let response = harness.service.sendRequest(Request("jobs", .post), parser: .response)
    func wait(_ seconds: TimeInterval) async {
      await harness.clock.waitForTimer(after: seconds)
      harness.clock.advance(by: seconds)
    }
    await wait(0)
    await wait(7)
    expectEqual(try await response.statusCode, 204)
    expectEqual(harness.session.fields("X-Session-Id"), [nil, "s", "s"])
    async let early = harness.service.sendRequest(Request("early", .post), parser: .response)
    await wait(0.5)
    expectEqual(try await early.statusCode, 204)
  }
}
