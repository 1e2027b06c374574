public import Foundation

// The types that a property may have besides its default type. The compiler picks the extension for the type of each
// property. The unavailable extensions are for all other types; the compiler shows their messages.

extension WebServiceRequestData where HeadersProperty == [String: String] {
  /// The fields in the order of their names.
  public var _headers: HTTPHeaders { HTTPHeaders(headers) }
}

extension WebServiceRequestData where QueryItemsProperty == [String: String] {
  /// The items in the order of their names.
  public var _queryItems: [URLQueryItem] {
    queryItems.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
  }
}

extension WebServiceRequestData where QueryProperty == any Encodable & Sendable {
  /// Returns `query` unchanged.
  public var _query: (any Encodable & Sendable)? { query }
}

extension WebServiceRequestData where QueryProperty == [String: any Encodable & Sendable] {
  /// The values in the order of their names.
  public var _query: (any Encodable & Sendable)? { JSONLiteral(object: query.sorted { $0.key < $1.key }) }
}

extension WebServiceRequestData where QueryProperty: Encodable & Sendable {
  /// The value, unless it is `nil`.
  public var _query: (any Encodable & Sendable)? {
    let value = query
    return isMissing(value) ? nil : value
  }
}

extension WebServiceRequestData where BodyProperty == any Encodable & Sendable {
  /// JSON of the value.
  public var _body: RequestBody? {
    let value = body
    return RequestBody.json(value)
  }
}

extension WebServiceRequestData where BodyProperty == RequestBody {
  /// Returns `body` unchanged.
  public var _body: RequestBody? { body }
}

extension WebServiceRequestData where BodyProperty == (any Encodable & Sendable)? {
  /// JSON of the value, unless it is `nil`.
  public var _body: RequestBody? { body.map { RequestBody.json($0) } }
}

extension WebServiceRequestData where BodyProperty: Encodable & Sendable {
  /// JSON of the value, unless it is `nil`.
  public var _body: RequestBody? {
    let value = body
    return isMissing(value) ? nil : .json(value)
  }
}

/// Whether a value of any type is `nil`, which is no content.
package func isMissing(_ value: Any) -> Bool { if case Optional<Any>.none = value { true } else { false } }

// MARK: Types that aren't sent

extension WebServiceRequestData {
  /// Not available: `method` must be an HTTPMethod, such as .post.
  @available(*, unavailable, message: "`method` must be an HTTPMethod, such as .post")
  public var _method: HTTPMethod { .get }

  /// Not available: `headers` must be HTTPHeaders or [String: String].
  @available(*, unavailable, message: "`headers` must be HTTPHeaders or [String: String]")
  public var _headers: HTTPHeaders { HTTPHeaders() }

  /// Not available: `queryItems` must be [URLQueryItem] or [String: String].
  @available(*, unavailable, message: "`queryItems` must be [URLQueryItem] or [String: String]")
  public var _queryItems: [URLQueryItem] { [] }

  /// Not available: `query` must be Encodable, Sendable and nonisolated.
  @available(*, unavailable, message: "`query` must be Encodable, Sendable and nonisolated")
  public var _query: (any Encodable & Sendable)? { nil }

  /// Not available: `body` must be a RequestBody, or Encodable, Sendable and nonisolated.
  @available(*, unavailable, message: "`body` must be a RequestBody, or Encodable, Sendable and nonisolated")
  public var _body: RequestBody? { nil }

  /// Not available: `authorization` must be a WebServiceAuthorizationType, such as .bearer.
  @available(*, unavailable, message: "`authorization` must be a WebServiceAuthorizationType, such as .bearer")
  public var _authorization: WebServiceAuthorizationType { .none }

  /// Not available: `options` must be RequestOptions.
  @available(*, unavailable, message: "`options` must be RequestOptions")
  public var _options: RequestOptions { RequestOptions() }
}

// JSON of bytes or of a text is hardly ever what is meant.

extension WebServiceRequestData where BodyProperty == Data {
  /// Not available: write `body` as .data(…, contentType:), or as .json(…).
  @available(*, unavailable, message: "write `body` as .data(…, contentType:), or as .json(…)")
  public var _body: RequestBody? { nil }
}

extension WebServiceRequestData where BodyProperty == Data? {
  /// Not available: write `body` as .data(…, contentType:), or as .json(…).
  @available(*, unavailable, message: "write `body` as .data(…, contentType:), or as .json(…)")
  public var _body: RequestBody? { nil }
}

extension WebServiceRequestData where BodyProperty == String {
  /// Not available: write `body` as .text(…), or as .json(…).
  @available(*, unavailable, message: "write `body` as .text(…), or as .json(…)")
  public var _body: RequestBody? { nil }
}

extension WebServiceRequestData where BodyProperty == String? {
  /// Not available: write `body` as .text(…), or as .json(…).
  @available(*, unavailable, message: "write `body` as .text(…), or as .json(…)")
  public var _body: RequestBody? { nil }
}
