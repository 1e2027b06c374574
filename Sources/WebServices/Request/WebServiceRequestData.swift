public import Foundation

/// A request as a value: where to, how, with what.
///
/// Only `path` has to be written; everything else has a default. Nothing is checked before the request is sent: what
/// can't be sent then reaches the completion as an error of kind `.badURL` or `.invalidRequest`.
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
  /// query. What isn't allowed in a URL is percent-encoded; what is encoded already stays as it is. A parameter that
  /// may hold anything is written as `"users/\(segment: name)/posts"`.
  var path: String { get }
  /// The method; `.get` by default.
  var method: HTTPMethod { get }
  /// Header fields besides those of the configuration; none by default. `Accept` and `Content-Type` are set unless
  /// they are given.
  var headers: HTTPHeaders { get }
  /// Query items that are appended to those of the configuration and of the path; none by default. Names and values
  /// arrive as they are given here, whatever characters they have.
  var queryItems: [URLQueryItem] { get }
  /// A value with keys whose members are appended to the query, behind `queryItems`, as the configuration's
  /// `queryEncoder` writes them; none by default. One that it can't write ends the request with an error of kind
  /// `.invalidRequest`.
  var query: (any Encodable & Sendable)? { get }
  /// The content; none by default.
  var body: RequestBody? { get }
  /// Which credentials the request needs; `.none` by default.
  var authorization: WebServiceAuthorizationType { get }
  /// What the request does in another way than the configuration says: timeout, redirects, validators and more; nothing
  /// by default.
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
