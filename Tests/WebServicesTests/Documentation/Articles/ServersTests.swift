import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

// sample: server
extension Server {
  static let shop = Server(with: .init(base: URL(string: "https://shop.example.com")))
}
// end of sample

// sample: limitedServer
extension Server {
  static let pictures = Pictures()
}

nonisolated final class Pictures: Server, @unchecked Sendable {
  init() {
    super.init(with: Config(base: URL(string: "https://pictures.example.com")))
  }

  func load(id: Int) async throws -> Data {
    try await super.request(type: .get, path: "/\(id)", take: .data())
  }

  @available(*, unavailable, message: "use load(id:)")
  override func request<R: Sendable>(
    type: Method, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
    query: [String: String], send: Send, take: Take<R>, catch catcher: Catcher<R>?, isolation: isolated (any Actor)?
  ) async throws -> R {
    throw PicturesError.onlyPictures
  }
}

enum PicturesError: Error {
  case onlyPictures
}
// end of sample

/// The samples of the article on servers that follow the user.
@Suite struct ServersTests {
  // sample: identity
  nonisolated enum Identity: Hashable, Sendable {
    case unauthorized
    case authorized(token: String)
  }

  nonisolated static func config(for identity: Identity) -> Server.Config {
    var config = Server.Config(base: URL(string: "https://shop.example.com"))
    if case .authorized(let token) = identity {
      config.headers["Authorization"] = "Bearer \(token)"
    }
    config.decoder = { $0.dateDecodingStrategy = .iso8601 }
    return config
  }
  // end of sample

  nonisolated struct Credentials: Encodable, Sendable {
    var user: String
    var password: String
  }

  struct Authorization: Decodable, Sendable {
    var token: String
  }

  struct Order: Decodable, Sendable {
    var id: Int
  }

  enum ShopError: Error { case notPaid }

  private func server(_ session: MockURLSession) -> Server {
    var config = Self.config(for: .unauthorized)
    config.session = { session }
    config.reachability = FakeReachability()
    return Server(with: config)
  }

  private func authorize(_ credentials: Credentials, at server: Server) async throws -> String {
    let response = try await server.request(
      type: .post, path: "/authorize", send: .json(credentials), take: .json(Authorization.self))
    // sample: serverRequest
    server.set(Self.config(for: .authorized(token: response.token)))
    // end of sample
    return response.token
  }

  @Test func serverSendsWithItsCurrentConfiguration() async throws {
    let session = MockURLSession()
    session.script(.post, "/authorize", .json(#"{"token": "t0ken"}"#))
    let server = server(session)
    #expect(try await authorize(Credentials(user: "ada", password: "p"), at: server) == "t0ken")
    #expect(server.config.headers == ["Authorization": "Bearer t0ken"])
    #expect(session.isInvalidated)
  }

  @Test func catcherMakesAValueOrAnError() async throws {
    let session = MockURLSession()
    session.script(.get, "/orders", .response(status: 404))
    session.script(.get, "/orders/7", .response(status: 402))
    let server = server(session)
    // sample: catching
    let orders = try await server.request(
      type: .get, path: "/orders", take: .json([Order].self), catch: .value([], on: 404))
    // end of sample
    #expect(orders.isEmpty)
    func order() async throws -> Order? {
      // sample: catchingError
      let order = try await server.request(
        type: .get, path: "/orders/7", take: .optional(.json(Order.self), on: 404),
        catch: .init { error in
          guard error.statusCode == 402 else { throw error }
          throw ShopError.notPaid
        })
      // end of sample
      return order
    }
    await #expect(throws: ShopError.self) { try await order() }
  }

  private func makeServer(_ sessions: Collector<MockURLSession>) -> (user: IdentitySource<Identity>, server: Server) {
    // sample: followingSource
    let user = IdentitySource(Identity.unauthorized)
    let server = Server(following: user) { identity in Self.config(for: identity) }
    // end of sample
    server.follow(user) { identity in
      var config = Self.config(for: identity)
      config.session = {
        let session = MockURLSession()
        session.script(.post, "/authorize", .json(#"{"token": "t0ken"}"#))
        session.script(.get, "/orders", .json(#"[{"id": 7}]"#))
        sessions.append(session)
        return session
      }
      config.reachability = FakeReachability()
      return config
    }
    return (user, server)
  }

  @Test func serverFollowsAnIdentitySource() async throws {
    let sessions = Collector<MockURLSession>()
    let (user, server) = makeServer(sessions)
    let credentials = Credentials(user: "ada", password: "p")
    // sample: signingIn
    let response = try await server.request(
      type: .post, path: "/authorize", send: .json(credentials), take: .json(Authorization.self))
    user.set(.authorized(token: response.token))
    let orders = try await server.request(type: .get, path: "/orders", take: .json([Order].self))
    // end of sample
    #expect(orders.map(\.id) == [7])
    #expect(sessions.elements.last?.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
  }

  @Test func unofferedRequestFailsThroughTheBaseClass() async {
    let results = Collector<Result<Data, any Error>>()
    Server.pictures.request(type: .get, path: "/1", take: .data(), callbackQueue: .global()) { results.append($0) }
    await results.waitForElements(1)
    #expect(throws: PicturesError.onlyPictures) { try results.elements.first?.get() }
  }

  @Test func newServerSendsNothing() {
    #expect(Server.shop.requestCount == 0)
    #expect(Server.pictures.requestCount == 0)
  }
}
