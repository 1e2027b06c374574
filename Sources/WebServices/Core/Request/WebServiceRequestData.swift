public import Foundation

/// A request as a value: where to, how, with what.
///
/// Only `path` has to be written; everything else has a default. Nothing is checked before the request is sent: a
/// request that can't be sent fails with an error of kind `.badURL` or `.invalidRequest`.
///
/// ```swift
/// struct RequestDataForRandomJokes: WebServiceRequestData {
///   var numberOfJokes: Int
///   var path: String { "jokes/random" }
///   var queryItems: [URLQueryItem] { [URLQueryItem(name: "count", value: "\(numberOfJokes)")] }
/// }
/// ```
public protocol WebServiceRequestData: Sendable {
  /// An absolute `http` or `https` URL, or a path that is appended to the configuration's `baseURL`. It may have a
  /// query. Characters that a URL doesn't allow are percent-encoded, and escapes stay unchanged. Write a parameter with
  /// any content as `"users/\(segment: name)/posts"`.
  var path: String { get }
  /// The method; `.get` by default.
  var method: HTTPMethod { get }
  /// Header fields in addition to the configuration's; none by default. The library sets `Accept` and `Content-Type`
  /// unless you set them.
  var headers: HTTPHeaders { get }
  /// Query items in addition to those of the configuration and the path; none by default. Names and values arrive
  /// unchanged, whatever characters they contain.
  var queryItems: [URLQueryItem] { get }
  /// A value with keys whose members are appended to the query, behind `queryItems`, as the configuration's
  /// `queryEncoder` writes them; none by default. A value that it can't write fails the request with an error of kind
  /// `.invalidRequest`.
  var query: (any Encodable & Sendable)? { get }
  /// The content; none by default.
  var body: RequestBody? { get }
  /// Which credentials the request needs; `.none` by default.
  var authorization: WebServiceAuthorizationType { get }
  /// The options in which the request differs from the configuration: timeout, redirects, validators and more; none by
  /// default.
  var options: RequestOptions { get }
}

extension WebServiceRequestData {
  /// `.get`
  public var method: HTTPMethod { .get }
  /// No header fields.
  public var headers: HTTPHeaders { HTTPHeaders() }
  /// No query items.
  public var queryItems: [URLQueryItem] { [] }
  /// No value for the query.
  public var query: (any Encodable & Sendable)? { nil }
  /// No content.
  public var body: RequestBody? { nil }
  /// No credentials.
  public var authorization: WebServiceAuthorizationType { .none }
  /// Everything as the configuration says.
  public var options: RequestOptions { RequestOptions() }
}

/// A copy of the properties of a request, to be sent with some of them changed.
package struct RequestDataCopy: WebServiceRequestData {
  package var path: String
  package var method: HTTPMethod
  package var headers: HTTPHeaders
  package var queryItems: [URLQueryItem]
  package var query: (any Encodable & Sendable)?
  package var body: RequestBody?
  package var authorization: WebServiceAuthorizationType
  package var options: RequestOptions

  package init(_ data: any WebServiceRequestData) {
    path = data.path
    method = data.method
    headers = data.headers
    queryItems = data.queryItems
    query = data.query
    body = data.body
    authorization = data.authorization
    options = data.options
  }
}
