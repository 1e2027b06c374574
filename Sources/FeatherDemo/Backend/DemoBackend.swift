import Foundation
import WebServices
import WebServicesTesting

/// The backend that the demo's commands talk to. It issues and renews tokens, and serves jokes to users with a token.
/// Without a token it serves files, items and events, takes uploads, and fails on command.
///
/// Handlers run on several threads at once; locks guard the tokens and the outage.
final class DemoBackend: Sendable {
  typealias Log = @Sendable (String) -> Void

  private struct Credentials: Decodable {
    var userId: String
    var password: String
  }

  /// The largest upload in bytes. The server keeps a whole body in memory.
  static let largestUpload = 256_000_000

  private let server: LoopbackServer
  private let tokens = Locked(TokenBook())
  let outage = Locked(Outage())
  private let log: Log?

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - port: the port; 0 lets the system choose a free port.
  ///   - log: receives one line for each request.
  init(port: UInt16 = 0, log: Log? = nil) throws(LoopbackServer.StartError) {
    var limits = LoopbackServer.Limits()
    limits.bodyBytes = Self.largestUpload
    // `serve` may run for days, and nobody reads its requests.
    limits.recordedRequests = 0
    server = try LoopbackServer(port: port, limits: limits)
    self.log = log
    // The latest matching route responds, so the route for everything else comes first.
    route(nil, "/*") { _, request in Self.refusal(404, "There is nothing at \(request.path).") }
    route(.post, "/authenticate") { backend, request in backend.authenticate(request) }
    route(.post, "/renew") { backend, request in backend.renew(request) }
    route(.get, "/jokes/:id") { _, request in Self.joke(request) }
    route(.get, "/jokes/random") { backend, request in backend.randomJokes(request) }
    // A HEAD falls back to the route of GET only if no other route matches, and the one for everything else does.
    for method in [HTTPMethod.get, .head] {
      route(method, "/files/:size") { _, request in Self.file(request) }
    }
    route(.put, "/uploads/:name") { _, request in Self.success(Received(bytes: request.body.count)) }
    route(.get, "/items") { _, request in Self.items(request) }
    route(.get, "/events") { _, request in Self.events(request) }
    route(.put, "/outage") { backend, request in backend.beginOutage(request) }
    route(.get, "/outage") { backend, _ in Self.success(backend.outage.withLock { $0 }) }
    route(.delete, "/outage") { backend, _ in backend.endOutage() }
    route(.get, "/flaky") { backend, _ in backend.flaky() }
    addFeatureRoutes()
  }

  /// The response to an upload.
  struct Received: Codable, Equatable, Sendable {
    var bytes: Int
  }

  var baseURL: URL { server.baseURL }

  func stop() {
    server.stop()
  }

  /// A response, and its status for the log.
  struct Reply: Sendable {
    var status: Int
    var response: LoopbackServer.Response
  }

  /// Adds a route. Each request to it is logged.
  func route(
    _ method: HTTPMethod?, _ path: String,
    _ reply: @escaping @Sendable (DemoBackend, LoopbackServer.Request) -> Reply
  ) {
    // Weak, because the server retains its handlers, and this object retains the server.
    server.route(method, path) { [weak self] request in
      guard let self else { return .status(503) }
      let reply = reply(self, request)
      log?("\(request.method) \(Redaction.standard.url(request.target)) \(reply.status)")
      return reply.response
    }
  }

  private func authenticate(_ request: LoopbackServer.Request) -> Reply {
    guard let credentials = try? JSONDecoder().decode(Credentials.self, from: request.body) else {
      return Self.refusal(400, "The body must be JSON with userId and password.")
    }
    guard !credentials.userId.isEmpty, credentials.password == DemoAccount.password else {
      return Self.refusal(401, "The user or the password is wrong.")
    }
    return Self.success(tokens.withLock { $0.issue(now: SystemClock.shared.now) })
  }

  private func renew(_ request: LoopbackServer.Request) -> Reply {
    let token = request.headers["api-token"]
    guard let info = tokens.withLock({ $0.renew(token, now: SystemClock.shared.now) }) else {
      return Self.refusal(401, "The token is wrong or has expired.")
    }
    return Self.success(info)
  }

  /// Whether the request carries a valid token, as a bearer token or in `api-token`.
  func isSignedIn(_ request: LoopbackServer.Request) -> Bool {
    let token = Self.bearerToken(of: request) ?? request.headers["api-token"]
    return tokens.withLock { $0.isValid(token, now: SystemClock.shared.now) }
  }

  /// The bearer token of the `Authorization` field (RFC 6750, section 2.1).
  static func bearerToken(of request: LoopbackServer.Request) -> String? {
    let parts = request.headers["Authorization"]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  private func randomJokes(_ request: LoopbackServer.Request) -> Reply {
    let token = request.headers["api-token"]
    guard tokens.withLock({ $0.isValid(token, now: SystemClock.shared.now) }) else {
      return Self.refusal(401, "Jokes need a valid api-token.")
    }
    guard let count = Int(request.query("count") ?? "1"), Arguments.countRange.contains(count) else {
      let range = Arguments.countRange
      return Self.refusal(400, "count must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return Self.success(JokeListResponse(type: "success", value: JokeCollection.random(count)))
  }

  /// Serves one joke without a token: the README's sample requests it.
  private static func joke(_ request: LoopbackServer.Request) -> Reply {
    guard let joke = JokeCollection.all.first(where: { request.path == "/jokes/\($0.id)" }) else {
      return refusal(404, "There is nothing at \(request.path).")
    }
    return success(["text": joke.joke])
  }

  static func success(_ value: some Encodable) -> Reply {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(value) else { return refusal(500, "The response can't be encoded.") }
    return Reply(status: 200, response: .json(String(decoding: body, as: UTF8.self)))
  }

  static func refusal(_ status: Int, _ message: String, headers: HTTPHeaders = [:]) -> Reply {
    let body = (try? JSONEncoder().encode(["error": message])) ?? Data("{}".utf8)
    return Reply(
      status: status, response: .json(String(decoding: body, as: UTF8.self), status: status, headers: headers))
  }
}
