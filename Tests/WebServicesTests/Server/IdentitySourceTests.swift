@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)))
struct IdentitySourceTests {
  private let backend = MockBackend { $0.script(.get, "/api/cities", .json("{}")) }

  private func configure(_ identity: String) -> Server.Config {
    backend.config { $0.base = URL(string: "https://\(identity).example.com/api") }
  }

  private var openSessionCount: Int { backend.sessions.elements.count { !$0.isInvalidated } }

  private var hosts: [String?] { backend.sessions.elements.map { $0.requests.first?.url?.host } }

  @Test func setSwapsTheConfigurationBeforeReturning() {
    let identities = IdentitySource("nobody")
    let server = WatchedServer(with: configure("nobody"))
    server.follow(identities, configure: configure)
    for identity in ["anna", "anna", "ben", "anna"] {
      identities.set(identity)
      expectEqual(server.config.base?.host, "\(identity).example.com")
      expectEqual(identities.identity, identity)
    }
    expectEqual(
      server.bases.elements, ["nobody.example.com", "anna.example.com", "ben.example.com", "anna.example.com"])
    expectEqual(backend.sessions.elements.map(\.isInvalidated), [true, true, true, true, false])
  }

  @Test func allServersSwapBeforeARequestIsCancelled() {
    let identities = IdentitySource("nobody")
    let invalidated = Collector<Int>()
    let servers = (0..<2).map { _ in
      Server(following: identities) { [backend] identity in
        invalidated.append(backend.sessions.elements.count(where: \.isInvalidated))
        return configure(identity)
      }
    }
    identities.set("anna")
    expectEqual(invalidated.elements, [0, 0, 0, 0])
    expectEqual(backend.sessions.elements.map(\.isInvalidated), [true, true, false, false])
    expectEqual(servers.map(\.config.base?.host), ["anna.example.com", "anna.example.com"])
  }

  @Test func serversSwapInTheOrderInWhichTheyFollow() {
    let identities = IdentitySource("nobody")
    let swapped = Collector<Int>()
    let servers = (0..<20).map { number in
      Server(following: identities) { identity in
        swapped.append(number)
        return configure(identity)
      }
    }
    swapped.removeAll()
    identities.set("anna")
    expectEqual(swapped.elements, Array(0..<20))
    withExtendedLifetime(servers) {}
  }

  /// The calls of an override beside the first one for the followed identity are the app's own.
  @Test func overrideMaySetFurtherConfigurationsOfItsOwnAndOfAnotherServer() {
    let identities = IdentitySource("nobody")
    let other = Server(with: configure("nobody"))
    let server = ForwardingServer(with: configure("nobody"))
    server.further.withLock { $0 = (other, configure("further")) }
    server.follow(identities, configure: configure)
    identities.set("anna")
    expectEqual(other.config.base?.host, "further.example.com")
    expectEqual(server.config.base?.host, "further.example.com")
  }

  private final class ForwardingServer: Server, @unchecked Sendable {
    let further = Locked<(server: Server, config: Config)?>(nil)

    override func set(_ config: Config) {
      let further = further.withLock { $0 }
      // Set before the call for the identity, which is the first one to this server all the same.
      further.map { $0.server.set($0.config) }
      super.set(config)
      further.map { super.set($0.config) }
    }
  }

  @Test func callAfterSignInIsNotCancelled() async throws {
    let identities = IdentitySource("nobody")
    let server = Server(following: identities, configure: configure)
    for number in 0..<100 {
      identities.set("user\(number)")
      try await server.request(type: .get, path: "cities", take: .void())
    }
    expectEqual(hosts, [nil] + (0..<100).map { "user\($0).example.com" })
  }

  @Test func serversEndWithTheLastIdentity() async {
    let identities = IdentitySource("nobody")
    let servers = (0..<3).map { _ in Server(following: identities, configure: configure) }
    await concurrently(400) { index in identities.set("user\(index % 3)") }
    for server in servers { expectEqual(server.config.base?.host, "\(identities.identity).example.com") }
    // A configuration that came too late is released, and its session is then invalidated on another queue.
    while openSessionCount > 3 { await Task.yield() }
    expectEqual(openSessionCount, 3)
  }

  @Test func identityThatIsSetMeanwhileIsNotReplacedByTheFormerOne() {
    let identities = IdentitySource("nobody")
    let server = Server(following: identities) { identity in
      if identity == "anna" { identities.set("ben") }
      return configure(identity)
    }
    identities.set("anna")
    expectEqual(server.config.base?.host, "ben.example.com")
  }

  @Test func sourceAndServerDoNotRetainEachOther() async {
    var identities: IdentitySource<String>? = IdentitySource("nobody")
    let source = { [weak identities] in identities }
    var server: Server?
    if let identities { server = Server(following: identities, configure: configure) }
    identities = nil
    #expect(source() == nil)
    let others = IdentitySource("nobody")
    server?.follow(others, configure: configure)
    let former = { [weak server] in server }
    server = nil
    #expect(former() == nil)
    others.set("anna")
    expectEqual(backend.sessions.elements.count, 2)
  }

  @Test(arguments: [true, false])
  func serverLeavesItsFormerSource(isReleased: Bool) {
    let identities = IdentitySource("nobody")
    weak var captured: Collector<String>?
    var server: Server?
    do {
      let configured = Collector<String>()
      captured = configured
      server = Server(following: identities) { identity in
        configured.append(identity)
        return configure(identity)
      }
      identities.set("anna")
      expectEqual(configured.elements, ["nobody", "anna"])
    }
    if isReleased { server = nil } else { server?.follow(IdentitySource("ben"), configure: configure) }
    #expect(captured == nil)
    withExtendedLifetime(server) {}
  }

  @Test func replacedSourceChangesNothing() {
    let (former, next) = (IdentitySource("anna"), IdentitySource("ben"))
    let server = Server(following: former, configure: configure)
    server.follow(next, configure: configure)
    former.set("carl")
    expectEqual(server.config.base?.host, "ben.example.com")
    server.set(configure("app"))
    expectEqual(server.config.base?.host, "app.example.com")
    next.set("dora")
    expectEqual(server.config.base?.host, "dora.example.com")
  }

  @Test func descriptionShowsNoIdentity() {
    #expect(!printedTexts(of: IdentitySource("s3cr3t")).contains("s3cr3t"))
  }
}
