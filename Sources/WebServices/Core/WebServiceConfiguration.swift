public import Foundation

/// What all requests of a `JsonWebService` have in common.
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
  /// What happens with an answer that points elsewhere. A request may name its own policy.
  public var redirects: RedirectPolicy
  /// Look at each answer, those of the request first; the first that refuses decides.
  public var validators: [ResponseValidator]
  /// The largest answer that is taken, in bytes after decompression.
  public var responseLimit: Int
  /// How many bytes of an answer's body an error keeps.
  public var errorBodyLimit: Int
  /// What is hidden wherever the library describes a request or an answer in words.
  public var redaction: Redaction
  /// The time that timeouts are measured with.
  public var clock: any WebServiceClock

  /// Creates a configuration; every value has a default.
  public init(
    baseURL: URL? = nil, headers: HTTPHeaders = HTTPHeaders(), queryItems: [URLQueryItem] = [],
    timeout: TimeInterval = 60, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder(),
    queryEncoder: QueryEncoder = QueryEncoder(), queryEscaping: QueryEscaping = .strict,
    redirects: RedirectPolicy = .follow, validators: [ResponseValidator] = [.successfulStatus],
    responseLimit: Int = TransportDestination.defaultLimit,
    errorBodyLimit: Int = 16 * 1024,
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
    self.redaction = redaction
    self.clock = clock
  }
}
