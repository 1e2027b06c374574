import InMemoryTracing
import Tracing
import WebServices
import WebServicesTesting

// sample: tracing
private enum TraceKey: RequestOptions.Key {
  static var defaultValue: ServiceContext? { nil }
  static var changesResponse: Bool { false }
}

extension WebServiceRequestData {
  /// A copy that belongs to the current span. Layers run on other threads, which know no current span.
  func traced() -> Request {
    var copy = Request(self)
    copy.options[TraceKey.self] = ServiceContext.current
    return copy
  }
}

/// Makes a span of each attempt and each step of a redirect, and tells the server of it.
struct TracingLayer: SessionLayer {
  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    TracingSession(next: next)
  }
}

struct TracingSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let span = startSpan(
      request.method.rawValue, context: request.options[TraceKey.self] ?? .topLevel, ofKind: .client)
    span.attributes["http.request.method"] = request.method.rawValue
    span.attributes["url.full"] = "\(RequestEvent.RedactedURL(request.url.absoluteString))"
    var traced = request
    InstrumentationSystem.instrument.inject(span.context, into: &traced.headers, using: HeaderInjector())
    return next.transferTask(with: traced) { result in
      switch result {
      case .success(let response): span.attributes["http.response.status_code"] = response.statusCode
      case .failure(let error): span.recordError(error)
      }
      span.end()
      completion(result)
    }
  }
}

struct HeaderInjector: Injector {
  func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
    headers[key] = value
  }
}
// end of sample

let tracer = InMemoryTracer()
InstrumentationSystem.bootstrap(tracer)
let server = try LoopbackServer()
server.route(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))

var configuration = WebServiceConfiguration(baseURL: server.baseURL)
configuration.layers = [TracingLayer()]
let service = JsonWebService(configuration: configuration)
try await withSpan("tell a joke") { _ in
  try await service.sendRequest(Request("jokes/7").traced(), parser: .nothing)
}
let spans = tracer.finishedSpans
print(spans.map(\.operationName), spans.first?.attributes.get("http.response.status_code") ?? "no status")
print("The request belongs to the span: \(spans.first?.parentSpanID == spans.last?.spanID)")
print("The server knows the trace: \(server.requests.first?.headers[InMemoryTracer.traceIDKey] ?? "no")")

// Prints: ["GET", "tell a joke"] int64(200)
// Prints: The request belongs to the span: true
// Prints: The server knows the trace: trace-1
