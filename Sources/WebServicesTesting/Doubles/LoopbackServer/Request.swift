public import Foundation
public import WebServicesCore

extension LoopbackServer {
  /// A request that the server received. Handlers and tests get it.
  public struct Request: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The target of the request line, unchanged.
    public var target: String
    /// The path of the target, still percent-encoded.
    public var path: String
    /// The query items in their order, without percent encoding. A `+` stays a `+`.
    public var queryItems: [URLQueryItem]
    /// The minor version of `HTTP/1.x`: 0 or 1.
    public var minorVersion: Int
    /// The header fields, in their order and unchanged.
    public var headers: HTTPHeaders
    /// The body, without transfer encoding.
    public var body: Data
    /// The trailer fields after a chunked body.
    public var trailers: HTTPHeaders
    /// The values of the route's `:name` segments, without percent encoding. The key `*` holds the tail of the path.
    public var parameters: [String: String]
    /// The number of the connection, counted from 1.
    public var connection: Int
    /// The number of the request among all requests of the server, counted from 1.
    public var order: Int

    /// The body as text. Invalid UTF-8 is replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first query item with this name.
    ///
    /// - Parameter name: the name, without percent encoding. Case counts.
    /// - Returns: the value; `nil` if there is no such item, or if it has no value.
    public func query(_ name: String) -> String? {
      queryItems.first { $0.name == name }?.value
    }
  }
}

extension LoopbackServer.Request {
  init(_ head: RequestParser.Head, connection: Int) {
    method = head.method
    target = head.target
    minorVersion = head.minorVersion
    headers = head.headers
    body = Data()
    trailers = HTTPHeaders()
    parameters = [:]
    self.connection = connection
    order = 0
    let url = try? URLReference(head.target)
    // A target without a scheme is a path, even if it begins with two slashes.
    path = url.map { String($0.isAbsolute ? $0.path : $0.beforeQuery) } ?? head.target
    if path.isEmpty { path = "/" }
    queryItems = url?.queryItems ?? []
  }
}
