@testable import WebServicesTestSupport

// sample: server

// sample: limitedServer

/// The samples of the article on servers that follow the user.
@Suite struct ServersTests {
  // sample: identity

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
    return response.token
  }

  @Test func serverSendsWithItsCurrentConfiguration() async throws {
    let session = MockURLSession(["POST /authorize": .json(#"{"token": "t0ken"}"#)])
    let server = server(session)
    expectEqual(try await authorize(Credentials(user: "ada", password: "p"), at: server), "t0ken")
    expectEqual(server.config.headers, ["Authorization": "Bearer t0ken"])
    #expect(session.isInvalidated)
  }

  @Test func catcherMakesAValueOrAnError() async throws {
    let server = server(MockURLSession(["GET /orders": .status(404), "GET /orders/7": .status(402)]))
    // sample: catching
    #expect(orders.isEmpty)
    func order() async throws -> Order? {
      // sample: catchingError
      return order
    }
    await #expect(throws: ShopError.self) { try await order() }
  }

  private func makeServer(_ sessions: Collector<MockURLSession>) -> (user: IdentitySource<Identity>, server: Server) {
    // sample: followingSource
    server.follow(user) { identity in
      var config = Self.config(for: identity)
      config.session = {
        let session = MockURLSession([
          "POST /authorize": .json(#"{"token": "t0ken"}"#), "GET /orders": .json(#"[{"id": 7}]"#),
        ])
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
    expectEqual(orders.map(\.id), [7])
    expectEqual(sessions.elements.last?.requests.last?.value(forHTTPHeaderField: "Authorization"), "Bearer t0ken")
  }

  @Test func unofferedRequestFailsThroughTheBaseClass() async {
    let results = Collector<Result<Data, any Error>>()
    Server.pictures.request(type: .get, path: "/1", take: .data(), callbackQueue: .global()) { results.append($0) }
    await results.waitForElements(1)
    #expect(throws: PicturesError.onlyPictures) { try results.elements.first?.get() }
  }
}
