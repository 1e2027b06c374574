public import Foundation
public import WebServicesTransport

/// The values that all requests of a `JsonWebService` have in common.
public struct WebServiceConfiguration: Sendable {
  /// Where relative paths are appended. Its own path is kept: `https://api.example.com/v1` and `/jokes` make
  /// `https://api.example.com/v1/jokes`.
  public var baseURL: URL?
  /// Sent with every request; a request's own field of the same name replaces it.
  public var headers: HTTPHeaders
  /// Sent with every request, before the request's own items.
  public var queryItems: [URLQueryItem]
  /// How long the engine waits for a token, and again for the whole answer, in seconds and to the millisecond. A
  /// request may name its own.
  public var timeout: TimeInterval
  /// Encodes JSON bodies. It is shared between threads: set it up before you pass it, not afterwards.
  public var encoder: JSONEncoder
  /// Decodes JSON answers. It is shared between threads: set it up before you pass it, not afterwards.
  public var decoder: JSONDecoder
  /// How values become query items and forms.
  public var queryEncoder: QueryEncoder
  /// Which characters of query items are percent-encoded. The query of a request's path stays as it is written.
  public var queryEscaping: QueryEscaping
  /// Decides whether redirects are followed. A request may name its own policy.
  public var redirects: RedirectPolicy
  /// Look at each answer, those of the request first; the first that refuses decides.
  public var validators: [ResponseValidator]
  /// The largest answer that is taken, in bytes after decompression. A success that is streamed or downloaded has no
  /// limit.
  public var responseLimit: Int
  /// How many bytes of an answer's body an error keeps.
  public var errorBodyLimit: Int
  /// Which failures are tried again; none by default. A request may name its own policy.
  public var retry: RetryPolicy
  /// The retries that all requests have together. Services that call the same server can share one.
  public var retryBudget: RetryBudget
  /// How long a request may take in all, in seconds: attempts, redirects, renewals and waits. `nil`, the default, means
  /// as long as each attempt's timeout and the retries let it. A request may name its own.
  public var deadline: TimeInterval?
  /// How the service's own session connects: TLS, proxy, limits. A session that you inject has settings of its own, and
  /// these don't apply. A setting that can't be kept on this system fails every request with a
  /// `TransportConfigurationError` underneath, before anything is sent.
  public var transport: TransportConfiguration
  /// The layers that requests pass on their way to the session; the first one sees a request first. The default is no layer.
  ///
  /// ```swift
  /// configuration.layers = [.cache(cache), .coalescing, .circuitBreaker(.standard), .limits(limits)]
  /// ```
  /// A service wraps its session once, when it is created. Services that are created with the same `ResponseCache` share
  /// it; everything else that a layer remembers belongs to one service.
  public var layers: [any SessionLayer]
  /// Decides whether a request waits while there is no network. By default it fails at once. A request may name its own
  /// policy.
  public var connectivity: ConnectivityPolicy
  /// Which requests go first of those that wait for their turn; a request may say otherwise.
  public var priority: RequestPriority
  /// Are told of all that happens to the requests; none by default.
  public var monitors: [any RequestMonitor]
  /// The random numbers that waits are drawn from.
  public var random: RandomSource
  /// What is hidden wherever the library describes a request or an answer in words.
  public var redaction: Redaction
  /// The time that timeouts are measured with.
  public var clock: any WebServiceClock
  /// The options that layers declare for all requests. A request's own option replaces one of them.
  package var layerOptions = RequestOptions()

  /// Creates a configuration; every value has a default.
  public init(
    baseURL: URL? = nil, headers: HTTPHeaders = HTTPHeaders(), queryItems: [URLQueryItem] = [],
    timeout: TimeInterval = 60, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder(),
    queryEncoder: QueryEncoder = QueryEncoder(), queryEscaping: QueryEscaping = .strict,
    redirects: RedirectPolicy = .follow, validators: [ResponseValidator] = [.problemDetails, .successfulStatus],
    responseLimit: Int = TransportRequest.defaultResponseLimit,
    errorBodyLimit: Int = 16 * 1024,
    retry: RetryPolicy = .none, retryBudget: RetryBudget = RetryBudget(), deadline: TimeInterval? = nil,
    transport: TransportConfiguration = TransportConfiguration(), layers: [any SessionLayer] = [],
    connectivity: ConnectivityPolicy = .failAtOnce,
    priority: RequestPriority = .normal, monitors: [any RequestMonitor] = [],
    random: RandomSource = .system,
    redaction: Redaction = .standard, clock: any WebServiceClock = SystemClock.shared
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.queryItems = queryItems
    self.timeout = timeout
    self.encoder = encoder
    self.decoder = decoder
    self.queryEncoder = queryEncoder
    self.queryEscaping = queryEscaping
    self.redirects = redirects
    self.validators = validators
    self.responseLimit = responseLimit
    self.errorBodyLimit = errorBodyLimit
    self.retry = retry
    self.retryBudget = retryBudget
    self.deadline = deadline
    self.transport = transport
    self.layers = layers
    self.connectivity = connectivity
    self.priority = priority
    self.monitors = monitors
    self.random = random
    self.redaction = redaction
    self.clock = clock
  }
}

extension WebServiceConfiguration: DescriptionOnly {
  /// The fields of each request and the policies. Secrets that `redaction` knows are left out.
  public var description: String {
    let query = QueryEscaping.strict.query(of: queryItems)
    let parts = [
      "base URL \(baseURL.map { redaction.url($0.absoluteString) } ?? "none")", "headers \(redaction.headers(headers))",
      "query \(query.isEmpty ? "none" : redaction.url("?\(query)"))", "timeout \(timeout) s",
      "deadline \(deadline.map { "\($0) s" } ?? "none")", "\(retry)", "\(redirects)",
      "layers \(layers.isEmpty ? "none" : layers.map { "\(type(of: $0))" }.joined(separator: ", "))",
    ]
    return parts.joined(separator: ", ")
  }
}
