@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RunRegistryTests {
  @Test func backgroundTransferOfAFormerUserIsNotStarted() {
    let (registry, log) = (RunRegistry(), Collector<String>())
    let former = registry.identity
    registry.endIdentity()()
    for (name, identity) in [("former", former), ("next", registry.identity), ("nobody", .none)] {
      registry.startInBackground(
        for: identity, { _ in log.append("\(name) ends") }, begin: { _ in log.append("\(name) begins") })
    }
    expectEqual(log.elements, ["former ends", "next begins", "nobody begins"])
  }

  /// The service of an event stream may be replaced before the stream reconnects.
  @Test func workStaysWithItsUserAndEndsWithItsService() {
    let engines = (0..<2).map { _ in
      JsonWebService(session: MockURLSession(), tokenManager: FakeTokenManager()).engine
    }
    let (work, former) = (RequestWork(), engines[0].registry.identity)
    expectEqual(work.identity(in: engines[0], isOfUser: true), former)
    engines[0].registry.endIdentity()()
    expectEqual(work.identity(in: engines[0], isOfUser: true), former)
    expectEqual(work.identity(in: engines[0], isOfUser: false), RunRegistry.Identity.none)
    expectEqual(work.identity(in: engines[1], isOfUser: false), RunRegistry.Identity.none)
    engines[0].close(invalidatingInjectedSession: true)()
    expectEqual(work.identity(in: engines[1], isOfUser: false), .ended)
  }
}
