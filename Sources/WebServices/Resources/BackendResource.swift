public import Foundation

/// A resource of a backend: its path and method, the request and the response, and the required authorization.
///
/// ```swift
/// struct CitiesService {
///   static func fetchCitiesResource() -> BackendResource<Void, CitiesResponse, KongAuth> {
///     BackendResource(path: .api(.core, "/v1/cities"), method: .get)
///   }
/// }
/// ```
///
/// - `Request`: the type of the value to send; `Void` for none.
/// - `Response`: the type of the response; `Void` to ignore it.
/// - `Auth`: the required authorization; ``NoAuth`` for none.
///
/// The article <doc:TypedResources> has samples.
public struct BackendResource<Request: Sendable, Response: Sendable, Auth: BackendAuth>: Sendable, DescriptionOnly {
  /// The location of the resource.
  public var path: ResourcePath
  /// The method of the request.
  public var method: HTTPMethod
  /// Header fields in addition to the service's configuration.
  public var headers: HTTPHeaders
  /// Query items in addition to those of the path and of the request's value.
  public var queryItems: [URLQueryItem]
  /// How the request's value is sent.
  public var content: RequestContent<Request>
  /// Makes the value from the response.
  public var parser: ResponseParser<Response>
  /// Options that override the service's configuration.
  public var options: RequestOptions

  /// Creates a resource with its own encoding and parsing. The shorter initializers infer both from the types. Each
  /// parameter sets the property of the same name.
  public init(
    path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders(), queryItems: [URLQueryItem] = [],
    content: RequestContent<Request>, parser: ResponseParser<Response>, options: RequestOptions = RequestOptions()
  ) {
    self.path = path
    self.method = method
    self.headers = headers
    self.queryItems = queryItems
    self.content = content
    self.parser = parser
    self.options = options
  }

  /// Creates a resource without a value to send, and with a JSON response. Each parameter sets the property of the same
  /// name. In a module of the main actor, declare the response `nonisolated`, or pass the parser `.json()`.
  public init(path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders())
  where Request == Void, Response: Decodable {
    self.init(path: path, method: method, headers: headers, content: .none, parser: .json())
  }

  /// Creates a resource without a value to send, whose response is ignored. Each parameter sets the property of the
  /// same name.
  public init(path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders())
  where Request == Void, Response == Void {
    self.init(path: path, method: method, headers: headers, content: .none, parser: .nothing)
  }

  /// Creates a resource without a value to send, and with its own parser. Each parameter sets the property of the same
  /// name.
  public init(
    path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders(), parser: ResponseParser<Response>
  )
  where Request == Void {
    self.init(path: path, method: method, headers: headers, content: .none, parser: parser)
  }

  /// Creates a resource that takes a value, as ``RequestContent/automatic`` says, and has its own parser. Each
  /// parameter sets the property of the same name.
  public init(
    path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders(), parser: ResponseParser<Response>
  )
  where Request: Encodable {
    self.init(path: path, method: method, headers: headers, content: .automatic, parser: parser)
  }

  /// Creates a resource that takes a value, as ``RequestContent/automatic`` says, and whose response is JSON. Each
  /// parameter sets the property of the same name.
  public init(path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders())
  where Request: Encodable, Response: Decodable {
    self.init(path: path, method: method, headers: headers, content: .automatic, parser: .json())
  }

  /// Creates a resource that takes a value, as ``RequestContent/automatic`` says, and whose response is ignored. Each
  /// parameter sets the property of the same name.
  public init(path: ResourcePath, method: HTTPMethod, headers: HTTPHeaders = HTTPHeaders())
  where Request: Encodable, Response == Void {
    self.init(path: path, method: method, headers: headers, content: .automatic, parser: .nothing)
  }

  /// The method and the path, without secrets (``Redaction/standard``) and without the query, which may contain others.
  public var description: String { "\(method) \(path)" }
}
