import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on resilience.
@Suite struct ResilienceTests {
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
    #expect([2, 3].map { configuration.retry.rule?(.failure(lost), $0) } == [true, false])
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
