public import Foundation
public import WebServices

extension LoopbackServer {
  /// A request as it came: what a handler is given and what the server keeps for the test to look at.
  public struct Request: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The request target as it stood in the request line.
    public var target: String
    /// The path of the target as it was sent, percent encoding and all.
    public var path: String
    /// The items of the target's query in their order, percent encoding removed; `+` stays as it is.
    public var queryItems: [URLQueryItem]
    /// Of `HTTP/1.x`: 0 or 1.
    public var minorVersion: Int
    /// The fields of the head, in their order and as they were written.
    public var headers: HTTPHeaders
    /// The body, transfer encoding removed.
    public var body: Data
    /// The fields behind a chunked body.
    public var trailers: HTTPHeaders
    /// What the route's `:name` segments stand for, percent encoding removed; `*` has the tail of the path.
    public var parameters: [String: String]
    /// The connection, counted from 1 in the order in which the server took them.
    public var connection: Int
    /// The place of the request among all that the server received, counted from 1.
    public var order: Int

    /// The body as text; what isn't UTF-8 is replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first query item of the name.
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
    // A target without a scheme is a path, also when it begins with two slashes.
    path = url.map { String($0.isAbsolute ? $0.path : $0.beforeQuery) } ?? head.target
    if path.isEmpty, url?.isAbsolute == true { path = "/" }
    queryItems = url?.queryItems ?? []
  }
}
