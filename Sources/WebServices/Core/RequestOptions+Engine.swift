public import Foundation

// The options of the engine and of its policies. Each other module declares its own options.

private enum TimeoutKey: LibraryOptionKey { static var defaultValue: TimeInterval? { nil } }

private enum TimeoutsKey: LibraryOptionKey { static var defaultValue: TransportRequest.Timeouts { .init() } }

private enum DeadlineKey: LibraryOptionKey { static var defaultValue: TimeInterval? { nil } }

private enum DecoderKey: LibraryOptionKey { static var defaultValue: JSONDecoder? { nil } }

private enum OnProgressKey: LibraryOptionKey {
  static var defaultValue: (@Sendable (TransportRequest.Progress) -> Void)? { nil }
}

private enum BypassesLimitsKey: LibraryOptionKey { static var defaultValue: Bool { false } }

private enum NeedsSecureURLKey: RequestOptions.Key { static var defaultValue: Bool { false } }

private enum IsIdempotentKey: LibraryOptionKey { static var defaultValue: Bool? { nil } }

private enum PriorityKey: LibraryOptionKey { static var defaultValue: RequestOptions.Priority? { nil } }

private enum RetryKey: LibraryOptionKey { static var defaultValue: RetryPolicy? { nil } }

private enum ConnectivityKey: LibraryOptionKey { static var defaultValue: ConnectivityPolicy? { nil } }

private enum RedirectsKey: LibraryOptionKey { static var defaultValue: RedirectPolicy? { nil } }

private enum ValidatorsKey: LibraryOptionKey { static var defaultValue: [ResponseValidator] { [] } }

private enum WorkKey: LibraryOptionKey { static var defaultValue: RequestWork? { nil } }

extension RequestOptions {
  /// Creates options with a timeout, in seconds.
  public init(timeout: TimeInterval) { self.init { $0.timeout = timeout } }

  /// The timeouts of the transport that the request sets itself.
  var timeouts: TransportRequest.Timeouts { self[TimeoutsKey.self] }

  /// The time limit for the token, and again for the whole response, in seconds. A stream or a download has to begin
  /// within it, and then it limits the time without a byte. `nil` means the configuration's timeout.
  public var timeout: TimeInterval? {
    get { self[TimeoutKey.self] }
    set { self[TimeoutKey.self] = newValue }
  }

  /// The time limit for the name look-up, the connection and the TLS handshake together, in seconds; `nil` means the
  /// session's. The wait for a free connection doesn't count.
  public var connectTimeout: TimeInterval? {
    get { self[TimeoutsKey.self].connect }
    set { self[TimeoutsKey.self].connect = newValue }
  }

  /// The time limit between two bytes of the request or the response, in seconds; `nil` means the session's, and
  /// ``timeout`` for a stream or a download.
  public var idleTimeout: TimeInterval? {
    get { self[TimeoutsKey.self].idle }
    set { self[TimeoutsKey.self].idle = newValue }
  }

  /// How long the request may take in all, in seconds; `nil` means the configuration's deadline.
  public var deadline: TimeInterval? {
    get { self[DeadlineKey.self] }
    set { self[DeadlineKey.self] = newValue }
  }

  /// Decodes a JSON response; `nil` means the configuration's decoder.
  public var decoder: JSONDecoder? {
    get { self[DecoderKey.self] }
    set { self[DecoderKey.self] = newValue }
  }

  /// Called while bytes are sent and received, one call at a time, on a queue of the library. Progress that comes
  /// faster than the closure returns is skipped, except the last. The request completes after the last call, so return
  /// soon. Only a stream that ends before its transfer may complete during a call.
  public var onProgress: (@Sendable (TransportRequest.Progress) -> Void)? {
    get { self[OnProgressKey.self] }
    set { self[OnProgressKey.self] = newValue }
  }

  /// Decides which failures are tried again; `nil` means the configuration's policy.
  public var retry: RetryPolicy? {
    get { self[RetryKey.self] }
    set { self[RetryKey.self] = newValue }
  }

  /// Decides whether the request waits while there is no network; `nil` means the configuration's policy.
  public var connectivity: ConnectivityPolicy? {
    get { self[ConnectivityKey.self] }
    set { self[ConnectivityKey.self] = newValue }
  }

  /// Which redirects are followed; `nil` means the configuration's policy.
  public var redirects: RedirectPolicy? {
    get { self[RedirectsKey.self] }
    set { self[RedirectsKey.self] = newValue }
  }

  /// Validators that check the response before those of the configuration do.
  public var validators: [ResponseValidator] {
    get { self[ValidatorsKey.self] }
    set { self[ValidatorsKey.self] = newValue }
  }

  /// Whether the request skips the layers of the library, except cookies. Set it for a request that other requests wait
  /// for, such as the renewal of a token.
  public var bypassesLimits: Bool {
    get { self[BypassesLimitsKey.self] }
    set { self[BypassesLimitsKey.self] = newValue }
  }

  /// Whether the request fails unless its URL is `https`, or this machine's own. Set it for a request whose body has
  /// secrets.
  package var needsSecureURL: Bool {
    get { self[NeedsSecureURLKey.self] }
    set { self[NeedsSecureURLKey.self] = newValue }
  }

  /// The work that the request is a part of, if the work consists of several requests.
  package var work: RequestWork? {
    get { self[WorkKey.self] }
    set { self[WorkKey.self] = newValue }
  }

  /// Whether sending the request twice has the same effect as sending it once. `nil` means: the method is idempotent,
  /// or the headers have an `Idempotency-Key`.
  public var isIdempotent: Bool? {
    get { self[IsIdempotentKey.self] }
    set { self[IsIdempotentKey.self] = newValue }
  }

  /// Whether a request with these options may be sent more than once. The caller's declaration counts first. Then a
  /// method counts that is idempotent by definition (RFC 9110, section 9.2.2), or an `Idempotency-Key`, by which the
  /// server recognizes a repetition.
  package func isIdempotent(_ method: HTTPMethod, _ headers: HTTPHeaders) -> Bool {
    isIdempotent ?? (method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false)
  }

  /// The priority of the request while it waits for a permit; `nil` means the configuration's priority.
  public var priority: Priority? {
    get { self[PriorityKey.self] }
    set { self[PriorityKey.self] = newValue }
  }

  /// Says which waiting request is sent first. Requests wait for a permit where the layer `.limits(_:)` limits them.
  ///
  /// A request may wait for as long as requests of a higher priority come.
  public enum Priority: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Work that nobody waits for: prefetching, reports.
    case low
    /// Everything else.
    case normal
    /// Work that a user looks at the screen for.
    case high

    /// Whether the first one goes later than the second one.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }
}
