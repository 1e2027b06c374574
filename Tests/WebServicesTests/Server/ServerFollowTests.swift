import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct ServerFollowTests {
  private let backend = MockBackend { $0.script(.get, "/api/cities", .never) }

  private func configure(_ identity: String) -> Server.Config {
    backend.config { $0.base = URL(string: "https://\(identity).example.com/api") }
  }

  @Test func eachNewIdentityMakesAConfiguration() async throws {
    let server = WatchedServer(with: configure("nobody"))
    let (identities, continuation) = AsyncStream<String>.makeStream()
    server.follow(identities, configure: configure)
    for identity in ["anna", "anna", "ben", "anna"] { continuation.yield(identity) }
    continuation.finish()
    await server.bases.waitForElements(3)
    #expect(server.bases.elements == ["anna.example.com", "ben.example.com", "anna.example.com"])
    #expect(server.config.base?.host == "anna.example.com")
    #expect(backend.sessions.elements.map(\.isInvalidated) == [true, true, true, false])
  }

  @Test func identityChangeCancelsFormerRequests() async throws {
    let server = Server(with: configure("nobody"))
    let (identities, continuation) = AsyncStream<String>.makeStream()
    server.follow(identities, configure: configure)
    let kinds = Collector<WebServiceError.Kind?>()
    server.request(type: .get, path: "cities", take: .void(), callbackQueue: .global()) { result in
      if case .failure(let error as WebServiceError) = result { kinds.append(error.kind) }
    }
    continuation.yield("anna")
    await kinds.waitForElements(1)
    #expect(kinds.elements == [.cancelled])
  }

  @Test func nextStreamReplacesTheFormerOne() async throws {
    let server = WatchedServer(with: configure("nobody"))
    let (former, formerContinuation) = AsyncStream<String>.makeStream()
    let ended = Collector<Void>()
    formerContinuation.onTermination = { _ in ended.append(()) }
    server.follow(former, configure: configure)
    let (next, nextContinuation) = AsyncStream<String>.makeStream()
    server.follow(next, configure: configure)
    await ended.waitForElements(1)
    formerContinuation.yield("anna")
    nextContinuation.yield("ben")
    await server.bases.waitForElements(1)
    #expect(server.bases.elements == ["ben.example.com"])
  }

  @Test func streamDoesNotRetainItsServer() async throws {
    let (identities, continuation) = AsyncStream<String>.makeStream()
    let ended = Collector<Void>()
    continuation.onTermination = { _ in ended.append(()) }
    do {
      let server = Server(with: configure("nobody"))
      server.follow(identities, configure: configure)
    }
    await ended.waitForElements(1)
    await backend.session?.waitUntilInvalidated()
  }

  @Test func failedStreamLeavesTheLastConfiguration() async throws {
    let server = WatchedServer(with: configure("nobody"))
    let (identities, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    server.follow(identities, configure: configure)
    continuation.yield("anna")
    await server.bases.waitForElements(1)
    continuation.finish(throwing: CancellationError())
    #expect(server.config.base?.host == "anna.example.com")
  }
}
