@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct EngineTests {
  @Test func backgroundTransferOfAFormerUserIsNotStarted() {
    let (engine, log) = (Engine(), Collector<String>())
    let former = engine.identity
    engine.endIdentity()()
    for (name, identity) in [("former", former), ("next", engine.identity), ("nobody", .none)] {
      engine.startInBackground(
        for: identity, { _ in log.append("\(name) ends") }, begin: { _ in log.append("\(name) begins") })
    }
    expectEqual(log.elements, ["former ends", "next begins", "nobody begins"])
  }

  /// A stream gives no element from then on, also before the request is interrupted.
  @Test func requestOfAClosedServiceIsInterruptedAtOnce() throws {
    let harness = VirtualHarness.held()
    let (_, results) = harness.send()
    let engine = harness.service.engine
    let run = try #require(engine.state.withLock { $0.runsInOrder.first })
    expectEqual(run.isInterrupted, false)
    let interrupt = engine.close()
    expectEqual(run.isInterrupted, true)
    interrupt()
    harness.queue.sync {}
    expectEqual(results.elements.map { $0.error?.kind }, [.cancelled])
  }

  /// An app may keep the handle of a request that has ended, or an iterator. The session ends with the engine.
  @Test func handleAndWorkRetainNoEngine() {
    var engine: Engine? = Engine()
    weak var released: Engine?
    released = engine
    let handle = engine.map { WebServiceTask(nil, in: $0) }
    let work = RequestWork()
    _ = engine.map { work.identity(in: $0, isOfUser: true) }
    engine = nil
    withExtendedLifetime(work) { #expect(released == nil) }
    handle?.cancel()
  }

  /// The service of an event stream may be replaced before the stream reconnects.
  @Test func workStaysWithItsUserAndEndsWithItsService() {
    let engines = (0..<2).map { _ in
      JsonWebService(session: MockURLSession(), tokenManager: FakeTokenManager()).engine
    }
    let (work, former) = (RequestWork(), engines[0].identity)
    expectEqual(work.identity(in: engines[0], isOfUser: true), former)
    engines[0].endIdentity()()
    expectEqual(work.identity(in: engines[0], isOfUser: true), former)
    expectEqual(work.identity(in: engines[0], isOfUser: false), Engine.Identity.none)
    expectEqual(work.identity(in: engines[1], isOfUser: false), Engine.Identity.none)
    engines[0].close(invalidatingInjectedSession: true)()
    expectEqual(work.identity(in: engines[1], isOfUser: false), .ended)
  }
}
