public import Foundation

// In a module whose default isolation is the main actor, the conformance of a value to `Encodable` is isolated to the
// main actor. Such a value meets no requirement `Encodable & Sendable`, so the compiler picks the declarations below.
// They are `@_disfavoredOverload`, or have more default arguments than the others, so that no other value takes them.

extension Request {
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
      path, method, queryItems: queryItems, query: query, body: .some(.json(MainActorEncodable(body))),
      headers: headers, authorization: authorization, options: options)
  }

  /// Creates a request whose query has the members of a value of the main actor. The value is encoded on the main actor,
  /// when the request is sent.
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
}

extension RequestBody {
  /// A value of the main actor as JSON, which is encoded on the main actor when the request is sent.
  ///
  /// - Parameter value: encoded by the configuration's `encoder`.
  @MainActor
  public static func json(_ value: some Encodable) -> RequestBody { .json(MainActorEncodable(value)) }

  /// A form of a value of the main actor, which is encoded on the main actor when the request is sent.
  ///
  /// - Parameters:
  ///   - value: a value that has keys.
  ///   - encoder: how the value is written; `nil` means as the configuration's `queryEncoder` does.
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
    // Unsafe for the compiler alone: this thread waits while the main actor uses the container.
    nonisolated(unsafe) var container = encoder.singleValueContainer()
    try MainQueue.wait { try MainActor.assumeIsolated { try encode(&container) } }
  }
}
