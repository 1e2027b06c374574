import Foundation

/// One configuration of a server with its own service and session. A swap makes a new connection, and stops and ends
/// the former one.
final class ServerConnection: Sendable {
  let config: Server.Config
  /// The configuration's base, parsed once for all requests.
  let base: RequestURL.Base?
  let service: JsonWebService

  init(_ config: Server.Config) {
    self.config = config
    base = RequestURL.base(config.base)
    service = JsonWebService(
      session: config.session?(), tokenManager: BasicAuthManager(), reachability: config.reachability,
      configuration: config.engineConfiguration)
    service.engine.ownSession()
  }

  /// The secrets to hide, as the service knows them.
  var redaction: Redaction { service.engine.configuration.redaction }

  /// The connection that requests of a server in this Swift task have to use. A `request` with a completion sets it
  /// before it calls the awaited `request`, which a subclass may override.
  @TaskLocal static var pin: (server: ServerIdentity, connection: ServerConnection)?

  /// Sends the request, and parses the response. The engine refuses a success on the caller's actor if the
  /// configuration isn't current any more. The failure of a former configuration becomes a cancel here.
  func value<Value: Sendable>(
    of request: Server.OutgoingRequest, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    do throws(WebServiceError) {
      return try await service.sendRequest(request, parser: parser, isolation: isolation)
    } catch {
      throw error.kind == .cancelled ? error : try current(error, request.method, request.path)
    }
  }

  /// Returns the value, or throws the error of a request that was cancelled, or whose configuration has been swapped.
  func current<Value>(
    _ value: Value, _ method: HTTPMethod, _ path: String, isCancelled: Bool = false
  ) throws(WebServiceError) -> Value {
    let isOpen = service.engine.isOpen
    guard isCancelled || !isOpen else { return value }
    var error = WebServiceError(
      .cancelled, phase: .deliver, method: method, url: path, attemptCount: 1,
      message: isOpen ? "" : "the server's configuration was swapped meanwhile")
    error.redaction = redaction
    throw error
  }

  /// Applies the catcher to an error, or else the configuration's catcher.
  func recovered<Value>(from error: WebServiceError, by catcher: Server.Catcher<Value>?) throws -> Value {
    guard error.kind != .cancelled else { throw error }
    guard let catcher else { throw config.catcher?(error) ?? error }
    return try catcher.recover(error)
  }
}

extension Server.OutgoingRequest {
  init(
    _ type: HTTPMethod, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
    query: [String: String], send: Server.Send, for connection: ServerConnection
  ) throws(HTTPURL.Invalid) {
    let config = connection.config
    let url = try RequestURL.url(of: path, base: RequestURL.base(base) ?? connection.base, named: "the base URL")
    self.init(url.text, type, body: send.body)
    let isOfConfig = RequestURL.has(url, originOf: connection.base)
    let all = HTTPHeaders(config.headers)
    self.headers = isOfConfig ? all : all.withoutCredentials(connection.redaction)
    // Without a base URL no request would get the values, and nothing would say so.
    guard config.base != nil || self.headers.count == all.count && config.query.isEmpty else {
      throw HTTPURL.Invalid(
        reason: "the configuration has headers or a query, but no base URL that they are for; set its base")
    }
    self.headers.merge(HTTPHeaders(headers))
    // The path has items of the request's own, too.
    let named = config.query.isEmpty ? [] : Set(try URLReference(path).queryItems.map(\.name))
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
