public import Foundation

/// What one request does in another way than the configuration says; what isn't set here is as it says there.
public struct RequestOptions: Sendable {
  /// Nothing at all where nothing is set: most requests have none, and each one holds its own.
  @Rare private var values: Values?

  /// Creates options with which everything is as the configuration says.
  public init() {}

  /// Creates options; what isn't given is as the configuration says.
  public init(
    timeout: TimeInterval? = nil, redirects: RedirectPolicy? = nil, encoder: JSONEncoder? = nil,
    decoder: JSONDecoder? = nil, queryEncoder: QueryEncoder? = nil, queryEscaping: QueryEscaping? = nil,
    validators: [ResponseValidator] = [], retry: RetryPolicy? = nil,
    isIdempotent: Bool? = nil, deadline: TimeInterval? = nil, priority: RequestPriority? = nil,
    cachePolicy: CachePolicy? = nil, coalesces: Bool? = nil, connectivity: ConnectivityPolicy? = nil,
    bypassesLimits: Bool = false,
    onProgress: (@Sendable (TransportProgress) -> Void)? = nil
  ) {
    values = Values(
      timeout: timeout, redirects: redirects, encoder: encoder, decoder: decoder, queryEncoder: queryEncoder,
      queryEscaping: queryEscaping, validators: validators, retry: retry, isIdempotent: isIdempotent,
      deadline: deadline, priority: priority, cachePolicy: cachePolicy, coalesces: coalesces,
      connectivity: connectivity, bypassesLimits: bypassesLimits, onProgress: onProgress)
  }

  /// How long to wait for a token, and again for the whole answer, in seconds. For a stream or a download it is the
  /// longest time without a byte.
  public var timeout: TimeInterval? {
    get { values?.timeout }
    set { changed.timeout = newValue }
  }
  /// What happens with an answer that points elsewhere.
  public var redirects: RedirectPolicy? {
    get { values?.redirects }
    set { changed.redirects = newValue }
  }
  /// Encodes a JSON body.
  public var encoder: JSONEncoder? {
    get { values?.encoder }
    set { changed.encoder = newValue }
  }
  /// Decodes a JSON answer.
  public var decoder: JSONDecoder? {
    get { values?.decoder }
    set { changed.decoder = newValue }
  }
  /// Makes query items of the request's `query`, and form fields of a body.
  public var queryEncoder: QueryEncoder? {
    get { values?.queryEncoder }
    set { changed.queryEncoder = newValue }
  }
  /// How query items are escaped.
  public var queryEscaping: QueryEscaping? {
    get { values?.queryEscaping }
    set { changed.queryEscaping = newValue }
  }
  /// Look at the answer before those of the configuration do.
  public var validators: [ResponseValidator] {
    get { values?.validators ?? [] }
    set { changed.validators = newValue }
  }
  /// Which failures are tried again.
  public var retry: RetryPolicy? {
    get { values?.retry }
    set { changed.retry = newValue }
  }
  /// Whether sending the request twice does no more than sending it once; `nil` means what the method says, or that an
  /// `Idempotency-Key` is in the headers.
  public var isIdempotent: Bool? {
    get { values?.isIdempotent }
    set { changed.isIdempotent = newValue }
  }
  /// How long the request may take in all, in seconds.
  public var deadline: TimeInterval? {
    get { values?.deadline }
    set { changed.deadline = newValue }
  }
  /// Which goes first of the requests that wait for their turn.
  public var priority: RequestPriority? {
    get { values?.priority }
    set { changed.priority = newValue }
  }
  /// What is wanted of the cache, where there is one.
  public var cachePolicy: CachePolicy? {
    get { values?.cachePolicy }
    set { changed.cachePolicy = newValue }
  }
  /// Whether the request shares the exchange of an equal one.
  public var coalesces: Bool? {
    get { values?.coalesces }
    set { changed.coalesces = newValue }
  }
  /// What becomes of the request while there is no network.
  public var connectivity: ConnectivityPolicy? {
    get { values?.connectivity }
    set { changed.connectivity = newValue }
  }
  /// Whether the request goes past cache, limits and circuit breaker: for what other requests wait for, such as the
  /// renewal of a token.
  public var bypassesLimits: Bool {
    get { values?.bypassesLimits ?? false }
    set { changed.bypassesLimits = newValue }
  }
  /// Called as bytes go out and come in, one call at a time, on a queue of the library's. Calls that come faster than
  /// they are taken are left out, but never the last one.
  public var onProgress: (@Sendable (TransportProgress) -> Void)? {
    get { values?.onProgress }
    set { changed.onProgress = newValue }
  }

  /// What is set, to be set otherwise.
  private var changed: Values {
    get { values ?? Values() }
    set { values = newValue }
  }
}

extension RequestOptions {
  fileprivate struct Values: Sendable {
    var timeout: TimeInterval?
    var redirects: RedirectPolicy?
    var encoder: JSONEncoder?
    var decoder: JSONDecoder?
    var queryEncoder: QueryEncoder?
    var queryEscaping: QueryEscaping?
    var validators: [ResponseValidator] = []
    var retry: RetryPolicy?
    var isIdempotent: Bool?
    var deadline: TimeInterval?
    var priority: RequestPriority?
    var cachePolicy: CachePolicy?
    var coalesces: Bool?
    var connectivity: ConnectivityPolicy?
    var bypassesLimits = false
    var onProgress: (@Sendable (TransportProgress) -> Void)?
  }
}
