import Metrics
import MetricsTestKit
import WebServices
import WebServicesTesting

// sample: swiftMetrics
/// Counts the retries and measures the requests of a service with swift-metrics.
struct MetricsMonitor: RequestMonitor {
  func record(_ event: RequestEvent) {
    var dimensions = [("host", event.url.authority), ("method", event.method.rawValue)]
    switch event.kind {
    case .retried:
      Counter(label: "http_client_retries", dimensions: dimensions).increment()
    case .delivered:
      dimensions.append(("status", event.status.map { "\($0)" } ?? "none"))
      Metrics.Timer(label: "http_client_requests", dimensions: dimensions).recordSeconds(event.elapsed)
    default: break
    }
  }
}
// end of sample

let metrics = TestMetrics()
MetricsSystem.bootstrap(metrics)
let server = try LoopbackServer()
server.route(.get, "/jokes/7") { [weak server] _ in
  server?.requests(.get, "/jokes/7").count == 1 ? .status(503) : .json(#"{"text": "A horse walks into a bar."}"#)
}

var configuration = WebServiceConfiguration(baseURL: server.baseURL)
configuration.retry = .standard
configuration.monitors = [MetricsMonitor()]
let service = JsonWebService(configuration: configuration)
try await service.sendRequest(Request("jokes/7"), parser: .nothing)
let timer = metrics.timers(label: "http_client_requests").first
print("\(timer?.values.count ?? 0) request, \(metrics.counterTotal(label: "http_client_retries")) retry")
print(timer?.dimensions.first { $0.0 == "status" } ?? ("status", "none"))

// Prints: 1 request, 1 retry
// Prints: ("status", "200")
