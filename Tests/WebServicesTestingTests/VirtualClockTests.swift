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
    _ = clock.schedule(after: 1) { note("d") }
    for _ in 1...9 { clock.advance(by: 0.1) }
    expectEqual(clock.pendingTimerCount, 1)
    clock.advance(by: 0.1)
    expectEqual(log.withLock { $0 }.last, "d@104.5")
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test func actionsOfOneCallRunInTheOrderOfTimeAndThenOfTheirCalls() {
    let clock = VirtualClock(now: 100)
    let log = Locked<[Int]>([])
    for number in 0..<20 {
      _ = clock.schedule(after: number < 10 ? 2 : 1) { log.withLock { $0.append(number) } }
    }
    _ = clock.schedule(after: -5) { log.withLock { $0.append(20) } }
    // Nothing runs inside the call that schedules it.
    #expect(log.withLock { $0.isEmpty })
    clock.advance(by: -1)
    expectEqual(clock.now, 100)
    clock.advance(by: 2)
    expectEqual(log.withLock { $0 }, [20] + Array(10..<20) + Array(0..<10))
    expectEqual(clock.now, 102)
  }

  @Test func severalTestsMayWait() async {
    let clock = VirtualClock()
    async let one: Void = clock.waitForTimers(1)
    async let two: Void = clock.waitForTimers(2)
    async let three: Void = clock.waitForTimer(after: 3)
    for delay in [7.0, 3] { _ = clock.schedule(after: delay) {} }
    _ = await (one, two, three)
  }

  @Test func skippedWaitsPassByThemselvesAndInOrder() async {
    let clock = VirtualClock(now: 100, skippingWaitsUpTo: 5)
    let fired = Watched<[Double]>([])
    let note: @Sendable () -> Void = { fired.withLock { $0.append(clock.now) } }
    // The clock doesn't skip a longer wait, but runs its action when the time has come.
    _ = clock.schedule(after: 6, note)
    _ = clock.schedule(after: 5) {
      note()
      _ = clock.schedule(after: 2, note)
    }
    await fired.wait { $0.count == 3 }
    expectEqual(fired.withLock { $0 }, [105, 106, 107])
  }

  @Test func cancelledTaskWaitsNoLonger() async {
    let wait = Task { await VirtualClock().waitForTimers(1) }
    await Task.yield()
    wait.cancel()
    await wait.value
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await VirtualClock().waitForTimers(1)
    }.value
  }
}
