public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Server {
  /// A request of a server with all that the configuration adds, before it is sent: what `Config.request` adjusts.
  public struct OutgoingRequest: WebServiceRequestData {
    /// The absolute URL, without `queryItems`.
    public var path: String
    /// The method.
    public var method: HTTPMethod
    /// The header fields.
    public var headers: HTTPHeaders
    /// The query items, in the order of their names.
    public var queryItems: [URLQueryItem]
    /// The content.
    public var body: RequestBody?
    /// The settings that differ from those of the configuration.
    public var options: RequestOptions
  }
}

extension Server.OutgoingRequest: DescriptionOnly {
  /// The method and the path, without the query.
  public var description: String { "\(method) \(path.prefix { $0 != "?" })" }
}

extension Server.OutgoingRequest {
  init(
    _ type: HTTPMethod, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
    query: [String: String], send: Server.Send, config: Server.Config
  ) throws(WebServiceError) {
    guard let base = base ?? config.base else { throw .badURL(path, "the configuration has no base URL") }
    method = type
    self.path = try RequestURL.url(of: path, base: base.absoluteString, named: "the base URL").text
    self.headers = HTTPHeaders(inOrder: config.headers)
    self.headers.merge(HTTPHeaders(inOrder: headers))
    let items = config.query.merging(query, uniquingKeysWith: { $1 })
    queryItems = items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    body = send.body
    options = RequestOptions {
      $0.timeout = timeout
      $0.validators = config.check
    }
    config.request?(&self)
  }
}

extension HTTPHeaders {
  fileprivate init(inOrder fields: [String: String]) {
    self.init(fields.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) })
  }
}

extension Server.OutgoingRequest {
  /// A `URLRequest`, unchanged.
  init(_ request: URLRequest) {
    let transport = TransportRequest(request)
    path = request.url?.absoluteString ?? ""
    method = transport.method
    headers = transport.headers
    queryItems = []
    options = RequestOptions { $0.timeout = transport.timeouts.idle }
    let type = headers["Content-Type"] ?? "application/octet-stream"
    body =
      switch transport.body {
      case .none: nil
      case .data(let data): .data(data, contentType: type)
      case .file(let url): .file(url, contentType: type)
      case .stream(let stream): .stream(stream, contentType: type)
      }
  }
}
