import Foundation
import WebServices
import WebServicesTesting

/// The service that the demo talks to: sign-in, renewal of tokens, and jokes for those who are signed in.
final class DemoBackend: Sendable {
  typealias Log = @Sendable (String) -> Void

  private struct Credentials: Decodable {
    var userId: String
    var password: String
  }

  private let server: LoopbackServer
  private let tokens = Locked(TokenBook())
  private let log: Log?

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port, or 0 for one of the system's choice.
  ///   - log: is given a line for each request.
  init(port: UInt16 = 0, log: Log? = nil) throws(LoopbackServer.StartError) {
    var limits = LoopbackServer.Limits()
    limits.bodyBytes = 65_536
    limits.recordedRequests = 0
    server = try LoopbackServer(port: port, limits: limits)
    self.log = log
    route(nil, "/*") { _, request in Self.refusal(404, "There is nothing at \(request.path).") }
    route(.post, "/authenticate") { backend, request in backend.authenticate(request) }
    route(.post, "/renew") { backend, request in backend.renew(request) }
    route(.get, "/jokes/random") { backend, request in backend.randomJokes(request) }
  }

  var baseURL: URL { server.baseURL }

  func stop() {
    server.stop()
  }

  private struct Reply {
    var status: Int
    var body: String
  }

  private func route(
    _ method: HTTPMethod?, _ path: String,
    _ reply: @escaping @Sendable (DemoBackend, LoopbackServer.Request) -> Reply
  ) {
    server.route(method, path) { [weak self] request in
      guard let self else { return .status(503) }
      let reply = reply(self, request)
      log?("\(request.method) \(Redaction.standard.url(request.target)) \(reply.status)")
      return .json(reply.body, status: reply.status)
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

  private static func success(_ value: some Encodable) -> Reply {
    guard let body = try? JSONEncoder().encode(value) else { return refusal(500, "The answer failed.") }
    return Reply(status: 200, body: String(decoding: body, as: UTF8.self))
  }

  private static func refusal(_ status: Int, _ message: String) -> Reply {
    let body = (try? JSONEncoder().encode(["error": message])) ?? Data("{}".utf8)
    return Reply(status: status, body: String(decoding: body, as: UTF8.self))
  }
}
