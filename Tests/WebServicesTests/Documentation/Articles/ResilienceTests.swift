import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on resilience.
@Suite struct ResilienceTests {
  // sample: idempotencyKey
  struct RequestDataForPayment: WebServiceRequestData {
    var cents: Int
    var key: UUID
    var path: String { "payments" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["Idempotency-Key": key.uuidString] }
    var body: RequestBody? { ["cents": cents] }
    var options: RequestOptions {
      RequestOptions {
        $0.retry = .standard
        $0.deadline = 20
        $0.priority = .high
      }
    }
  }
  // end of sample

  // sample: reload
  struct RequestDataForTimetable: WebServiceRequestData {
    var mustBeNew: Bool
    var path: String { "timetable" }
    var options: RequestOptions {
      RequestOptions {
        $0.cachePolicy = mustBeNew ? .reload : .useCache
        $0.connectivity = .wait(upTo: 5)
      }
    }
  }
  // end of sample

  private func makeConfiguration() -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: policies
    configuration.retry = .standard
    configuration.deadline = 30
    configuration.connectivity = .wait(upTo: 10)
    let limits = RequestLimits(
      maximumConcurrentRequestsPerHost: 8, rate: RequestLimits.Rate(requestsPerSecond: 50, burst: 10))
    configuration.layers = [.cache(ResponseCache()), .coalescing, .circuitBreaker(.standard), .limits(limits)]
    // end of sample
    return configuration
  }

  private func makePolitelyLimitedConfiguration() -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    // sample: rateLimits
    let limits = RequestLimits(rate: RequestLimits.Rate(requestsPerSecond: 5, burst: 10), longestServerWait: 60)
    configuration.layers = [.limits(limits)]
    configuration.retry = .standard
    configuration.deadline = 120
    // end of sample
    return configuration
  }

  @Test func ownRuleIsPartOfThePolicy() {
    var configuration = makeConfiguration()
    // sample: ownRule
    configuration.retry = RetryPolicy(maximumAttempts: 5) { outcome, attempt in
      guard case .success(let response) = outcome else { return attempt < 3 }
      return response.statusCode == 423 || response.headers.retryAfter != nil
    }
    // end of sample
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    #expect([2, 3].map { configuration.retry.rule?(.failure(lost), $0) } == [true, false])
  }

  @Test func politeConfigurationHasLimitsAndRetries() {
    let configuration = makePolitelyLimitedConfiguration()
    #expect(configuration.layers.count == 1 && configuration.retry.maximumAttempts == 3)
  }

  @Test func cacheMayBeOnDisk() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = makeConfiguration()
    // sample: diskCache
    let cache = try ResponseCache(directory: directory, limit: 20_000_000)
    configuration.layers = [.cache(cache)]
    // end of sample
    // sample: emptyCache
    cache.removeAll()
    // end of sample
    #expect(configuration.layers.count == 1)
  }
}
