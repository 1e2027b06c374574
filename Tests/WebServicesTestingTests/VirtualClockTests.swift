import WebServicesTestSupport

@Suite struct VirtualClockTests {
  @Test func actionsRunInTheOrderOfTime() {
    let clock = VirtualClock(now: 100)
    let log = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { name in log.withLock { $0.append("\(name)@\(clock.now)") } }
    _ = clock.schedule(after: 3) { note("c") }
    _ = clock.schedule(after: 1) {
      note("a")
      _ = clock.schedule(after: 1) { note("b") }
    }
    let cancelled = clock.schedule(after: 2) { note("never") }
    cancelled.cancel()
    clock.advance(by: 2.5)
    expectEqual(log.withLock { $0 }, ["a@101.0", "b@102.0"])
    expectEqual(clock.now, 102.5)
    clock.advance(by: 1)
    expectEqual(log.withLock { $0 }.last, "c@103.0")
    expectEqual(clock.pendingTimerCount, 0)
  }
}
