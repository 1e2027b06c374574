public import Foundation

/// A request without a type of its own, for scripts and first steps, and a copy of any other request.
///
/// ```swift
/// let joke = try await service.sendRequest(Request("jokes/7"), as: Joke.self)
/// try await service.sendRequest(Request("jokes", .post, body: joke), parser: .nothing)
/// ```
public struct Request: WebServiceRequestData, DescriptionOnly {
  /// An absolute URL, or a path that is appended to the configuration's `baseURL`.
  public var path: String
  /// The method.
  public var method: HTTPMethod
  /// Header fields besides those of the configuration.
  public var headers: HTTPHeaders
  /// Query items that are appended to those of the configuration and of the path.
  public var queryItems: [URLQueryItem]
  /// A value with keys whose members are appended to the query, after ``queryItems``.
  public var query: (any Encodable & Sendable)?
  /// The content.
  public var body: RequestBody?
  /// Which credentials the request needs.
  public var authorization: WebServiceAuthorizationType
  /// The options in which the request differs from the configuration.
  public var options: RequestOptions

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - path: an absolute URL, or a path that is appended to the configuration's `baseURL`.
  ///   - method: the method.
  ///   - queryItems: items of the query, besides those of the path.
  ///   - query: a value with keys whose members are items of the query too, such as `["count": 3]`.
  ///   - body: the content.
  ///   - headers: header fields.
  ///   - authorization: which credentials the request needs.
  ///   - options: the options in which the request differs from the configuration.
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [],
    query: (any Encodable & Sendable)? = nil, body: RequestBody? = nil, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.path = path
    self.method = method
    self.headers = headers
    self.queryItems = queryItems
    self.query = query
    self.body = body
    self.authorization = authorization
    self.options = options
  }

  /// Creates a request with JSON of a value as its content; `nil` is no content. Write text as `.text(…)`, and bytes as
  /// `.data(…)`.
  @_disfavoredOverload
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [],
    query: (any Encodable & Sendable)? = nil, body: some Encodable & Sendable, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      path, method, queryItems: queryItems, query: query, body: isMissing(body) ? nil : RequestBody.json(body),
      headers: headers, authorization: authorization, options: options)
  }

  /// Creates a request whose query is a literal with values of several types.
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [], query: JSONLiteral,
    body: RequestBody? = nil, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      path, method, queryItems: queryItems, query: .some(query), body: body, headers: headers,
      authorization: authorization, options: options)
  }

  // The compiler prefers this form to the first one for a value of a known type. Otherwise it would pick the first form
  // for a value of the main actor too.
  /// Creates a request whose query has the members of a value with keys.
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [], query: some Encodable & Sendable,
    body: RequestBody? = nil, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      path, method, queryItems: queryItems, query: .some(query), body: body, headers: headers,
      authorization: authorization, options: options)
  }

  /// Creates a copy of the properties of a request, to look at them or to send them with some of them changed.
  public init(_ data: some WebServiceRequestData) {
    self.init(
      data.path, data._method, queryItems: data._queryItems, query: data._query, body: data._body,
      headers: data._headers, authorization: data._authorization, options: data._options)
  }

  /// Creates a request with JSON of a value of the main actor as its content. The value is encoded on the main actor,
  /// when the request is sent.
  @_disfavoredOverload
  @MainActor
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [],
    query: (any Encodable & Sendable)? = nil, body: some Encodable, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      path, method, queryItems: queryItems, query: query,
      body: isMissing(body) ? nil : RequestBody.json(MainActorEncodable(body)), headers: headers,
      authorization: authorization, options: options)
  }

  /// Creates a request whose query has the members of a value of the main actor. The value is encoded on the main
  /// actor, when the request is sent.
  @MainActor
  public init(
    _ path: String, _ method: HTTPMethod = .get, queryItems: [URLQueryItem] = [], query: some Encodable,
    body: RequestBody? = nil, headers: HTTPHeaders = HTTPHeaders(),
    authorization: WebServiceAuthorizationType = .none, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      path, method, queryItems: queryItems, query: .some(MainActorEncodable(query)), body: body, headers: headers,
      authorization: authorization, options: options)
  }

  /// The method and the path, without secrets (``Redaction/standard``) and without the query, which may contain others.
  public var description: String { "\(method) \(Redaction.standard.url(path.withoutQuery))" }
}

extension WebServiceRequestData {
  /// A copy of the request that the closure has changed.
  ///
  /// ```swift
  /// request.with { $0.options.deadline = 3 }
  /// ```
  public func with(_ change: (inout Request) -> Void) -> Request {
    var request = Request(self)
    change(&request)
    return request
  }

  /// A copy with another timeout, in seconds.
  public func timeout(_ seconds: TimeInterval) -> Request { with { $0.options.timeout = seconds } }

  /// A copy with a header field, in place of the fields of this name.
  public func header(_ name: String, _ value: String) -> Request { with { $0.headers[name] = value } }

  /// A copy with another priority, for the layer `.limits(_:)`.
  public func priority(_ priority: RequestOptions.Priority) -> Request { with { $0.options.priority = priority } }

  /// A copy that reports its progress, as ``RequestOptions/onProgress`` says.
  public func onProgress(_ report: @escaping @Sendable (TransportRequest.Progress) -> Void) -> Request {
    with { $0.options.onProgress = report }
  }
}

extension String {
  /// The text of a URL or a path up to its query, which may hold secrets that the standard redaction doesn't know.
  package var withoutQuery: String { String(Substring(utf8.prefix { $0 != UInt8(ascii: "?") })) }
}

// MARK: Values of the main actor

// In a module whose default isolation is the main actor, the conformance of a value to `Encodable` is isolated to the
// main actor. Such a value meets no requirement `Encodable & Sendable`, so the compiler picks a form with
// `@MainActor`. Such a form is `@_disfavoredOverload`, or has more default arguments than the others, so that no other
// value takes it.

extension RequestBody {
  /// A value of the main actor as JSON, which is encoded on the main actor when the request is sent.
  ///
  /// - Parameter value: encoded by the configuration's `encoder`.
  @_disfavoredOverload
  @MainActor
  public static func json(_ value: some Encodable) -> RequestBody { .json(MainActorEncodable(value)) }

  /// A form of a value of the main actor, which is encoded on the main actor when the request is sent.
  ///
  /// - Parameters:
  ///   - value: a value that has keys.
  ///   - encoder: how the value is written; `nil` means as the configuration's `queryEncoder` does.
  @_disfavoredOverload
  @MainActor
  public static func form(_ value: some Encodable, encoder: QueryEncoder? = nil) -> RequestBody {
    .form(MainActorEncodable(value), encoder: encoder)
  }
}

/// Encodes a value of the main actor on the main actor, whichever thread asks.
private struct MainActorEncodable: Encodable, Sendable {
  private let encode: @MainActor (inout any SingleValueEncodingContainer) throws -> Void

  @MainActor
  init(_ value: some Encodable) {
    // A container encodes a date or data as its encoder says; the value's own `encode(to:)` wouldn't.
    encode = { container in try container.encode(value) }
  }

  func encode(to encoder: any Encoder) throws {
    try MainQueue.wait {
      // Unsafe for the compiler alone: the encoder's thread waits while the main actor uses the container.
      nonisolated(unsafe) var container = encoder.singleValueContainer()
      try MainActor.assumeIsolated { try encode(&container) }
    }
  }
}
