@testable import WebServicesTestSupport
@testable import WebServicesHTTP

@Suite(.timeLimit(.minutes(5)))
struct SystemClockTests {
  private let clock = SystemClock.shared
  private let fired = Watched<[String]>([])

  private func schedule(_ name: String, after delay: TimeInterval) -> any WebServiceTimer {
    let due = clock.now + delay
    return clock.schedule(after: delay) { [fired, clock] in
      #expect(clock.now >= due)
      fired.withLock { $0.append(name) }
    }
  }

  @Test func timersFireInTheOrderOfTheirDeadlines() async {
    // Each is armed in another way: first, later than the armed one, earlier than it, and again after a timer has
    // fired.
    let timers = [("far", 3_600), ("c", 0.09), ("d", 0.12), ("b", 0.06), ("a", -1)].map { schedule($0, after: $1) }
    #expect(await fired.wait(timeout: 10) { $0.count == 4 })
    expectEqual(fired.withLock { $0 }, ["a", "b", "c", "d"])
    timers.first?.cancel()
  }

  @Test func cancelledTimerNeverFires() async {
    let cancelled = schedule("cancelled", after: 0.02)
    _ = schedule("other", after: 0.05)
    // A later deadline must not replace the one that is armed.
    let far = schedule("far", after: 3_600)
    cancelled.cancel()
    #expect(await fired.wait(timeout: 10) { !$0.isEmpty })
    expectEqual(fired.withLock { $0 }, ["other"])
    far.cancel()
  }

  /// A sleep of the machine lets several deadlines pass at once.
  @Test func dueActionsRunInTheOrderOfTheirDeadlines() {
    var state = SystemClock.State()
    for number in 0..<50 { state.entries[UInt64(number)] = (TimeInterval(number), { @Sendable in }) }
    expectEqual(state.takeDue(now: 29).map(\.deadline), (0..<30).map(TimeInterval.init))
  }

  @Test func tableThatIsMostlyEmptyIsFreed() {
    var state = SystemClock.State()
    for number in 0..<1000 { state.entries[UInt64(number)] = (number < 990 ? 1 : 9, { @Sendable in }) }
    expectEqual(state.takeDue(now: 1).count, 990)
    #expect(state.entries.count == 10 && state.entries.capacity < 100)
  }

  @Test func timerThatSleepHasMadeLateIsArmedAgain() {
    var state = SystemClock.State()
    // Without another timer, sleep delays this one by 10 seconds at most.
    expectEqual(state.arm(for: 3_600, now: 90), 10)
    for (deadline, now, delay) in [(99, 90, 9), (101, 90, nil), (3_701, 3_700, 0)] as [(Double, Double, Double?)] {
      state.armedFor = 100
      expectEqual(state.arm(for: deadline, now: now), delay)
    }
  }
}
