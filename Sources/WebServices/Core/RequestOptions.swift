public import Foundation

/// What one request does in another way than the configuration says; what isn't set here is as it says there.
public struct RequestOptions: Sendable {
  /// How long to wait for a token, and again for the whole answer, in seconds. For a stream or a download it is the
  /// longest time without a byte.
  public var timeout: TimeInterval?
  /// What happens with an answer that points elsewhere.
  public var redirects: RedirectPolicy?
  /// Encodes a JSON body.
  public var encoder: JSONEncoder?
  /// Decodes a JSON answer.
  public var decoder: JSONDecoder?
  /// Makes query items of the request's `query`, and form fields of a body.
  public var queryEncoder: QueryEncoder?
  /// How query items are escaped.
  public var queryEscaping: QueryEscaping?
  /// Look at the answer before those of the configuration do.
  public var validators: [ResponseValidator]
  /// Which failures are tried again.
  public var retry: RetryPolicy?
  /// Whether sending the request twice does no more than sending it once; `nil` means what the method says, or that an
  /// `Idempotency-Key` is in the headers.
  public var isIdempotent: Bool?
  /// How long the request may take in all, in seconds.
  public var deadline: TimeInterval?
  /// Which goes first of the requests that wait for their turn.
  public var priority: RequestPriority?
  /// What is wanted of the cache, where there is one.
  public var cachePolicy: CachePolicy?
  /// Whether the request shares the exchange of an equal one.
  public var coalesces: Bool?
  /// What becomes of the request while there is no network.
  public var connectivity: ConnectivityPolicy?
  /// Whether the request goes past cache, limits and circuit breaker: for what other requests wait for, such as the
  /// renewal of a token.
  public var bypassesLimits: Bool
  /// Called as bytes go out and come in, one call at a time, on a queue of the library's. Calls that come faster than
  /// they are taken are left out, but never the last one.
  public var onProgress: (@Sendable (TransportProgress) -> Void)?

  /// Creates options; by default everything is as the configuration says.
  public init(
    timeout: TimeInterval? = nil, redirects: RedirectPolicy? = nil, encoder: JSONEncoder? = nil,
    decoder: JSONDecoder? = nil, queryEncoder: QueryEncoder? = nil, queryEscaping: QueryEscaping? = nil,
    validators: [ResponseValidator] = [], retry: RetryPolicy? = nil,
    isIdempotent: Bool? = nil, deadline: TimeInterval? = nil, priority: RequestPriority? = nil,
    cachePolicy: CachePolicy? = nil, coalesces: Bool? = nil, connectivity: ConnectivityPolicy? = nil,
    bypassesLimits: Bool = false,
    onProgress: (@Sendable (TransportProgress) -> Void)? = nil
  ) {
    self.timeout = timeout
    self.redirects = redirects
    self.encoder = encoder
    self.decoder = decoder
    self.queryEncoder = queryEncoder
    self.queryEscaping = queryEscaping
    self.validators = validators
    self.retry = retry
    self.isIdempotent = isIdempotent
    self.deadline = deadline
    self.priority = priority
    self.cachePolicy = cachePolicy
    self.coalesces = coalesces
    self.connectivity = connectivity
    self.bypassesLimits = bypassesLimits
    self.onProgress = onProgress
  }
}
