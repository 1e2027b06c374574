import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Server {
  /// A request of a server with all that the configuration adds, before it is sent: what ``Config/request`` adjusts.
  /// Its path is an absolute URL.
  public typealias OutgoingRequest = Request
}

extension Server.OutgoingRequest {
  init(
    _ type: HTTPMethod, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
    query: [String: String], send: Server.Send, for connection: ServerConnection
  ) throws(HTTPURL.Invalid) {
    let config = connection.config
    guard let base = base ?? config.base else { throw HTTPURL.Invalid(reason: "the configuration has no base URL") }
    let url = try RequestURL.url(of: path, base: base.absoluteString, named: "the base URL")
    self.init(url.text, type, body: send.body)
    let isOfConfig = RequestURL.has(url, originOf: RequestURL.base(config.base))
    let all = HTTPHeaders(config.headers)
    self.headers = isOfConfig ? all : all.withoutCredentials(connection.redaction)
    // Without a base URL no request would get the values, and nothing would say so.
    guard config.base != nil || self.headers.count == all.count && config.query.isEmpty else {
      throw HTTPURL.Invalid(
        reason: "the configuration has headers or a query, but no base URL that they are for; set its base")
    }
    self.headers.merge(HTTPHeaders(headers))
    // The path has items of the request's own, too.
    let named = Set((try URLReference(path)).queryItems.map(\.name))
    let values = isOfConfig ? config.query.filter { !named.contains($0.key) } : [:]
    let items = values.merging(query, uniquingKeysWith: { $1 })
    // Sorted, because the order of a dictionary changes from run to run.
    queryItems = items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    options = RequestOptions {
      $0.timeout = timeout
      $0.validators = config.check
    }
    config.request?(&self)
  }
}

extension Server.OutgoingRequest {
  /// Makes a request of a `URLRequest`.
  init(_ request: URLRequest) {
    let transport = TransportRequest(request)
    self.init(request.url?.absoluteString ?? "", transport.method, headers: transport.headers)
    options = RequestOptions { $0.timeout = transport.timeouts.idle }
    let type = headers["Content-Type"] ?? "application/octet-stream"
    let content = transport.body
    if case .none = content { return }
    body = RequestBody(contentType: type, isReplayable: content.isReplayable) { _ in content }
  }
}
