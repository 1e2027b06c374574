public import Foundation

/// A URL that a ``Networker`` loads with GET, and the parser of the response.
///
/// ```swift
/// extension Photo {
///   static func single(by id: Int, with baseURL: URL) throws -> Endpoint<Photo> {
///     guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else { throw PhotoError.url }
///     return Endpoint(url: url, parser: .json())
///   }
/// }
/// ```
///
/// The article <doc:LoadingEndpoints> has samples.
public struct Endpoint<Value: Sendable>: Sendable {
  /// The resource with the endpoint's URL and parser.
  public let resource: BackendResource<Void, Value, NoAuth>

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - url: an `http` or `https` URL; a relative one is resolved with its base.
  ///   - parser: makes the value.
  public init(url: URL, parser: ResponseParser<Value>) {
    resource = BackendResource(path: .url(url.absoluteURL), method: .get, parser: parser)
  }

  /// Creates an endpoint whose JSON response you parse by hand.
  ///
  /// ```swift
  /// Endpoint(url: url, parse: { json in Result { try Photo(with: json) } })
  /// ```
  ///
  /// - Parameters:
  ///   - url: an `http` or `https` URL; a relative one is resolved with its base.
  ///   - parse: makes the value, on the completion's queue, or beside it if that is the main queue. A failure becomes
  ///     an error of the kind `.undecodableBody` with the failure underneath. The library calls `parse` only with valid
  ///     JSON.
  public init(url: URL, parse: @escaping @Sendable (JSONValue) -> Result<Value, any Error>) {
    self.init(url: url, parser: ResponseParser<JSONValue>.json().map { json in try parse(json).get() })
  }
}
