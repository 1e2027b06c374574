public import Foundation

/// Describes a request: its path, method, headers, query and body.
///
/// Only ``path`` has to be written; everything else has a default. Nothing is checked before the request is sent: a
/// request that can't be sent fails with an error of kind `.badURL` or `.invalidRequest`.
///
/// ```swift
/// struct RequestDataForRandomJokes: WebServiceRequestData {
///   var numberOfJokes: Int
///   var path: String { "jokes/random" }
///   var queryItems: [String: String] { ["count": "\(numberOfJokes)"] }
/// }
/// ```
///
/// A property of a type that the library can't send doesn't compile. A copy of any request as a ``Request`` has each
/// property in the library's own type.
///
/// The article <doc:DescribingRequests> has samples.
public protocol WebServiceRequestData: Sendable {
  // The associated types take any type, so that the compiler doesn't pass over a property of a wrong type for the
  // default. It finds no way to send such a property: see `WebServiceRequestData+Types.swift`.

  /// The type of ``method``: ``HTTPMethod``.
  associatedtype MethodProperty = HTTPMethod
  /// The type of ``headers``: ``HTTPHeaders`` or `[String: String]`.
  associatedtype HeadersProperty = HTTPHeaders
  /// The type of ``queryItems``: `[URLQueryItem]` or `[String: String]`.
  associatedtype QueryItemsProperty = [URLQueryItem]
  /// The type of ``query``: any type that is `Encodable` and `Sendable`.
  associatedtype QueryProperty = (any Encodable & Sendable)?
  /// The type of ``body``: ``RequestBody``, or any type that is `Encodable` and `Sendable`.
  associatedtype BodyProperty = RequestBody?
  /// The type of ``authorization``: ``WebServiceAuthorizationType``.
  associatedtype AuthorizationProperty = WebServiceAuthorizationType
  /// The type of ``options``: ``RequestOptions``.
  associatedtype OptionsProperty = RequestOptions

  /// An absolute `http` or `https` URL, or a path that is appended to the configuration's `baseURL`. It may have a
  /// query. Characters that a URL doesn't allow are percent-encoded, and escapes stay unchanged. Write a parameter with
  /// any content as `"users/\(segment: name)/posts"`.
  var path: String { get }
  /// The method; `.get` by default.
  var method: MethodProperty { get }
  /// Header fields in addition to the configuration's, as ``HTTPHeaders`` or as a dictionary; none by default. The
  /// library sets `Accept`, `Content-Type` and `User-Agent` unless you set them.
  var headers: HeadersProperty { get }
  /// Query items in addition to those of the configuration and the path; none by default. A dictionary's items are sent
  /// in the order of their names. Names and values may contain any characters and reach the server unchanged.
  var queryItems: QueryItemsProperty { get }
  /// A value with keys whose members are appended to the query, after ``queryItems``, as the configuration's
  /// `queryEncoder` writes them; none by default. A value that it can't write fails the request with an error of kind
  /// `.invalidRequest`. In a module of the main actor, declare the value's type `nonisolated`.
  var query: QueryProperty { get }
  /// The content; none by default. A value of your own type is sent as JSON; `nil` of such a type sends no content. In
  /// a module of the main actor, declare that type `nonisolated`.
  var body: BodyProperty { get }
  /// Which credentials the request needs; `.none` by default.
  var authorization: AuthorizationProperty { get }
  /// The options in which the request differs from the configuration: timeout, redirects, validators and more; none by
  /// default.
  var options: OptionsProperty { get }

  /// The library reads this property, which has ``method`` in a fixed type. You don't implement it.
  var _method: HTTPMethod { get }
  /// The library reads this property, which has ``headers`` in a fixed type. You don't implement it.
  var _headers: HTTPHeaders { get }
  /// The library reads this property, which has ``queryItems`` in a fixed type. You don't implement it.
  var _queryItems: [URLQueryItem] { get }
  /// The library reads this property, which has ``query`` in a fixed type. You don't implement it.
  var _query: (any Encodable & Sendable)? { get }
  /// The library reads this property, which has ``body`` in a fixed type. You don't implement it.
  var _body: RequestBody? { get }
  /// The library reads this property, which has ``authorization`` in a fixed type. You don't implement it.
  var _authorization: WebServiceAuthorizationType { get }
  /// The library reads this property, which has ``options`` in a fixed type. You don't implement it.
  var _options: RequestOptions { get }
}

// The default of a property has a condition on its type. Without the condition, generic code would see the default in
// place of the request's own property.

extension WebServiceRequestData where MethodProperty == HTTPMethod {
  /// `.get`
  public var method: HTTPMethod { .get }
  /// Returns `method` unchanged.
  public var _method: HTTPMethod { method }
}

extension WebServiceRequestData where HeadersProperty == HTTPHeaders {
  /// No header fields.
  public var headers: HTTPHeaders { HTTPHeaders() }
  /// Returns `headers` unchanged.
  public var _headers: HTTPHeaders { headers }
}

extension WebServiceRequestData where QueryItemsProperty == [URLQueryItem] {
  /// No query items.
  public var queryItems: [URLQueryItem] { [] }
  /// Returns `queryItems` unchanged.
  public var _queryItems: [URLQueryItem] { queryItems }
}

extension WebServiceRequestData where QueryProperty == (any Encodable & Sendable)? {
  /// No value for the query.
  public var query: (any Encodable & Sendable)? { nil }
  /// Returns `query` unchanged.
  public var _query: (any Encodable & Sendable)? { query }
}

extension WebServiceRequestData where BodyProperty == RequestBody? {
  /// No content.
  public var body: RequestBody? { nil }
  /// Returns `body` unchanged.
  public var _body: RequestBody? { body }
}

extension WebServiceRequestData where AuthorizationProperty == WebServiceAuthorizationType {
  /// No credentials.
  public var authorization: WebServiceAuthorizationType { .none }
  /// Returns `authorization` unchanged.
  public var _authorization: WebServiceAuthorizationType { authorization }
}

extension WebServiceRequestData where OptionsProperty == RequestOptions {
  /// No options: the configuration decides everything.
  public var options: RequestOptions { RequestOptions() }
  /// Returns `options` unchanged.
  public var _options: RequestOptions { options }
}
