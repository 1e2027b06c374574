public import Foundation
public import WebServicesTransport

/// The settings that all requests of a ``JsonWebService`` share.
///
/// The article <doc:DescribingRequests> has samples.
public struct WebServiceConfiguration: Sendable, DescriptionOnly {
  /// The URL that relative paths are appended to. Its own path is kept: `https://api.example.com/v1` and `/jokes` make
  /// `https://api.example.com/v1/jokes`.
  public var baseURL: URL?
  /// Header fields for every request to the origin of ``baseURL``. A request's own field of the same name replaces the
  /// configuration's.
  ///
  /// A request to another origin, such as an OAuth 2 server, gets only fields that are known to hold no credentials,
  /// such as `User-Agent` and `Accept-Language`. Without a base URL, any other field or query item here fails every
  /// request with an error of kind `.invalidRequest`.
  public var headers: HTTPHeaders
  /// Makes more header fields for a request, such as `traceparent` or a tenant; `nil` by default. The library calls the
  /// closure once for each request, on the caller's thread and inside its Swift task, so task-local values are there.
  ///
  /// Every attempt carries the fields, and every redirect to the same origin; a redirect to another origin carries
  /// none. Otherwise they follow the rules of ``headers``, whose fields they replace. The request's own fields replace
  /// them.
  public var contextHeaders: (@Sendable () -> HTTPHeaders)?
  /// Query items for every request to the origin of ``baseURL``, before the request's own items. Other origins get none
  /// of them. A request with an absolute URL keeps the items of the same names in it.
  public var queryItems: [URLQueryItem] = []
  /// The timeout in seconds for a token, and again for the whole response. It is kept to the millisecond. A request may
  /// set its own.
  public var timeout: TimeInterval
  /// The encoder of JSON bodies. Threads share it, so don't change it after you have set it here.
  public var encoder = JSONEncoder()
  /// The strategies for decoding JSON responses. Threads share this object, so don't change it after you have set it
  /// here.
  public var decoder = JSONDecoder()
  /// Encodes values as query items and forms.
  public var queryEncoder = QueryEncoder()
  /// Selects the characters of query items that are percent-encoded. A query in a request's path stays unchanged.
  public var queryEscaping: QueryEncoder.Escaping = .strict
  /// Decides whether redirects are followed. A request may set its own policy.
  public var redirects: RedirectPolicy = .follow
  /// Check each response after the request's own validators. The first validator that throws decides.
  public var validators: [ResponseValidator] = [.successfulStatus]
  /// The largest response in bytes, after decompression. A success that is streamed or downloaded has no limit.
  public var responseLimit: Int = TransportRequest.defaultResponseLimit
  /// The number of bytes of a response's body that an error keeps.
  public var errorBodyLimit: Int = 16 * 1024
  /// Decides which failures are retried; none by default. A request may set its own policy.
  public var retry: RetryPolicy
  /// The budget of retries that all requests share. Services for the same server can share one budget.
  public var retryBudget = RetryPolicy.Budget()
  /// The most seconds for a whole request: attempts, redirects, renewals and waits. With `nil`, the default, only the
  /// timeout of each attempt and the retry policy limit it. A request may set its own.
  public var deadline: TimeInterval?
  /// The connection settings of the service's own session: TLS, proxy, limits. A session that you inject ignores them.
  /// If this system doesn't support a setting, every request fails before it is sent, with an underlying
  /// ``TransportConfiguration/InvalidSetting``.
  public var transport: TransportConfiguration
  /// The layers between the service and its session; none by default. The first layer sees a request first.
  ///
  /// ```swift
  /// configuration.layers = [.cache(cache), .coalescing, .circuitBreaker(.standard), .limits(limits)]
  /// ```
  /// A service wraps its session once, when you create the service. Services may share a ``ResponseCache`` or a
  /// ``CookieJar``. All other state of a layer of the library belongs to one service.
  public var layers: [any SessionLayer]
  /// Decides whether a request waits for a network. By default the request fails at once. A request may set its own
  /// policy.
  public var connectivity: ConnectivityPolicy = .failAtOnce
  /// The priority of requests that wait for a permit. A request may set its own.
  public var priority: RequestOptions.Priority = .normal
  /// Receive the events of all requests; none by default.
  public var monitors: [any RequestMonitor]
  /// The source of random numbers for delays.
  public var random: RetryPolicy.RandomSource = .system
  /// Hides secrets in every description of a request or a response.
  public var redaction: Redaction = .standard
  /// The clock that measures timeouts.
  public var clock: any WebServiceClock
  /// The time of day, with which dates of servers are compared.
  package var wallClock: @Sendable () -> Date = { Date() }
  /// The options that layers declare for all requests. A request's own option replaces one of them.
  package var layerOptions = RequestOptions()

  /// Creates a configuration. Every value has a default; set the other values as properties. Times are in seconds. Each
  /// parameter sets the property of the same name.
  public init(
    baseURL: URL? = nil, headers: HTTPHeaders = HTTPHeaders(), timeout: TimeInterval = 60, retry: RetryPolicy = .none,
    transport: TransportConfiguration = TransportConfiguration(), layers: [any SessionLayer] = [],
    monitors: [any RequestMonitor] = [], clock: any WebServiceClock = SystemClock.shared
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.timeout = timeout
    self.retry = retry
    self.transport = transport
    self.layers = layers
    self.monitors = monitors
    self.clock = clock
  }

  /// The header fields and the policies, without the secrets that ``redaction`` names.
  public var description: String {
    // The redaction searches the query of a URL for secret names, so the items are written as one.
    let query = QueryEncoder.Escaping.strict.query(of: queryItems)
    let parts = [
      "base URL \(baseURL.map { redaction.url($0.absoluteString) } ?? "none")", "headers \(redaction.headers(headers))",
      "query \(query.isEmpty ? "none" : redaction.url("?\(query)"))", "timeout \(timeout) s",
      "deadline \(deadline.map { "\($0) s" } ?? "none")", "\(retry)", "\(redirects)",
      "layers \(layers.isEmpty ? "none" : layers.map { "\(type(of: $0))" }.joined(separator: ", "))",
    ]
    return parts.joined(separator: ", ")
  }
}
