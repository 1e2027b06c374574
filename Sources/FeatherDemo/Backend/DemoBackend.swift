import Foundation
import WebServices
import WebServicesDoubles

/// The demo's server. It issues and renews tokens, and serves jokes to users with a token. Without a token it serves
/// files and events, and takes uploads.
///
/// Handlers run on several threads at once; a lock guards the tokens.
final class DemoBackend: Sendable {
  typealias Log = @Sendable (String) -> Void
  typealias Response = LoopbackServer.Response
  typealias Handler = @Sendable (DemoBackend, LoopbackServer.Request) -> Response

  /// The largest upload in bytes. The server keeps a whole body in memory.
  static let largestUpload = 256_000_000

  private let server: LoopbackServer
  private let tokens = Locked(TokenBook())
  /// The methods of each path, for the `Allow` field of a 405.
  private let methods = Locked<[String: [HTTPMethod]]>([:])
  private let log: Log?

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - port: the port; 0 lets the system choose a free port.
  ///   - log: receives one line for each request.
  static func start(port: UInt16, log: Log? = nil) throws(CommandFailure) -> DemoBackend {
    do {
      return try DemoBackend(port: port, log: log)
    } catch {
      let hint = port == 0 ? [] : ["Is port \(port) in use? Without --port the system chooses a free one."]
      throw CommandFailure(["FeatherDemo: the demo's server can't be started. \(error)"] + hint)
    }
  }

  init(port: UInt16 = 0, log: Log? = nil) throws(LoopbackServer.StartError) {
    var limits = LoopbackServer.Limits()
    limits.bodyBytes = Self.largestUpload
    // `serve` may run for days, and nobody reads its requests.
    limits.recordedRequests = 0
    server = try LoopbackServer(port: port, limits: limits)
    self.log = log
    // The latest matching route responds, so the route for everything else comes first.
    respond(nil, "/*") { _, request in Self.refusal(404, "There is nothing at \(request.path).") }
    route(.post, "/authenticate") { backend, request in backend.authenticate(request) }
    route(.post, "/renew") { backend, request in backend.renew(request) }
    route(.get, "/jokes/:id") { _, request in Self.joke(request) }
    route(.get, "/jokes/random") { backend, request in backend.randomJokes(request) }
    route(.get, "/files/:size") { _, request in Self.file(request) }
    route(.put, "/uploads/:name") { _, request in Self.success(["bytes": request.body.count]) }
    route(.get, "/events") { _, request in Self.events(request) }
    addCitiesRoutes()
    addAccountRoutes()
    addPhotoRoutes()
    addMenuRoutes()
  }

  var baseURL: URL { server.baseURL }

  func stop() {
    server.stop()
  }

  // MARK: Routes

  /// Adds a route. Every other method at this path gets status 405.
  func route(_ method: HTTPMethod, _ path: String, _ handler: @escaping Handler) {
    // The route for HEAD would otherwise be the one for all methods.
    let added = method == .get ? [method, .head] : [method]
    let isFirst = methods.withLock { methods in
      defer { methods[path, default: []] += added }
      return methods[path] == nil
    }
    if isFirst {
      respond(nil, path) { backend, request in
        let allowed = backend.methods.withLock { $0[path] ?? [] }.map(\.rawValue).joined(separator: ", ")
        return Self.refusal(
          405, "\(request.path) takes \(allowed), not \(request.method).", headers: ["Allow": allowed])
      }
    }
    for method in added { respond(method, path, handler) }
  }

  private func respond(_ method: HTTPMethod?, _ path: String, _ handler: @escaping Handler) {
    // Weak, because the server retains its handlers, and this object retains the server.
    server.route(method, path) { [weak self] request in
      guard let self else { return .status(503) }
      let response = handler(self, request)
      for case .head(let status, _) in response.steps {
        log?("\(request.method) \(Redaction.standard.url(request.target)) \(status)")
      }
      return response
    }
  }

  static func success(_ value: some Encodable) -> Response {
    guard let body = try? JSONText.of(value) else { return refusal(500, "The response can't be encoded.") }
    return .json(body)
  }

  static func refusal(_ status: Int, _ message: String, headers: HTTPHeaders = [:]) -> Response {
    .json((try? JSONText.of(["error": message])) ?? "{}", status: status, headers: headers)
  }

  // MARK: Sign-in and jokes

  private func authenticate(_ request: LoopbackServer.Request) -> Response {
    signIn(request, userKey: "userId") { $0 }
  }

  /// Issues a token to the user whose name has this key in the body.
  ///
  /// - Parameter shown: makes the response of the token.
  func signIn(
    _ request: LoopbackServer.Request, userKey: String, _ shown: (AuthenticationInfo) -> some Encodable
  ) -> Response {
    let body = try? FeatherJSONDecoder().decode(JSONValue.self, from: request.body)
    guard let user = body?[userKey]?.string, let password = body?["password"]?.string else {
      return Self.refusal(400, "The body must be JSON with \(userKey) and password.")
    }
    guard !user.isEmpty, password == DemoAccount.password else {
      return Self.refusal(401, "The user or the password is wrong.")
    }
    return Self.success(shown(tokens.withLock { $0.issue(to: user, now: SystemClock.shared.now) }))
  }

  func signOut(_ request: LoopbackServer.Request) -> Response {
    tokens.withLock { $0.forget(Self.token(of: request)) }
    return .status(204)
  }

  private func renew(_ request: LoopbackServer.Request) -> Response {
    guard let info = tokens.withLock({ $0.renew(Self.token(of: request), now: SystemClock.shared.now) }) else {
      return Self.refusal(401, "The token is wrong or has expired.")
    }
    return Self.success(info)
  }

  /// The user whose valid token the request carries.
  func user(of request: LoopbackServer.Request) -> String? {
    tokens.withLock { $0.user(of: Self.token(of: request), now: SystemClock.shared.now) }
  }

  /// The bearer token of the `Authorization` field (RFC 6750, section 2.1), or else the field `api-token`.
  private static func token(of request: LoopbackServer.Request) -> String {
    let parts = request.headers["Authorization"]?.split(separator: " ") ?? []
    if parts.count == 2, parts[0].lowercased() == "bearer" { return String(parts[1]) }
    return request.headers["api-token"] ?? ""
  }

  private func randomJokes(_ request: LoopbackServer.Request) -> Response {
    guard user(of: request) != nil else { return Self.refusal(401, "Jokes need a valid api-token.") }
    guard let count = Self.count(of: request) else { return Self.countRefusal }
    return Self.success(JokeListResponse(type: "success", value: JokeCollection.random(count)))
  }

  /// Serves one joke without a token: the README's sample requests it.
  private static func joke(_ request: LoopbackServer.Request) -> Response {
    guard let joke = JokeCollection.all.first(where: { request.path == "/jokes/\($0.id)" }) else {
      return refusal(404, "There are jokes 1 to \(JokeCollection.all.count).")
    }
    return success(["text": joke.joke])
  }

  /// The query item `count`; `nil` if it isn't a number from 1 to 100.
  static func count(of request: LoopbackServer.Request) -> Int? {
    Int(request.query("count") ?? "10").flatMap { (1...100).contains($0) ? $0 : nil }
  }

  static let countRefusal = refusal(400, "count must be a number from 1 to 100.")
}
