@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct RequestLimiterTests {
  private typealias Ticket = RequestLimiter.Ticket
  private let clock = VirtualClock()
  private let ready = Collector<String>()

  private func limiter(
    places: Int? = nil, rate: RequestLimits.Rate? = nil, serverWaitLimit: TimeInterval = 60
  ) -> RequestLimiter {
    RequestLimiter(
      RequestLimits(
        concurrentRequestsPerHost: places, rate: rate, serverWaitLimit: serverWaitLimit),
      clock: clock)
  }

  /// A request that waits for a permit, or has one.
  private struct Place {
    let limiter: RequestLimiter
    let ticket: Ticket

    func release() { limiter.release(ticket.host) }
  }

  @discardableResult
  private func acquire(
    _ name: String, _ limiter: RequestLimiter, host: String = "host", _ priority: RequestOptions.Priority = .normal
  ) -> Place {
    let ticket = limiter.acquire(host: host, priority: priority) { [ready] in ready.append(name) }
    return Place(limiter: limiter, ticket: ticket)
  }

  @Test func permitsAreLimitedAndPassedOn() {
    let limiter = limiter(places: 2)
    let tickets = (0..<4).map { acquire("\($0)", limiter) }
    acquire("elsewhere", limiter, host: "another")
    expectEqual(ready.elements, ["0", "1", "elsewhere"])
    tickets[1].release()
    expectEqual(ready.elements, ["0", "1", "elsewhere", "2"])
    for index in [0, 2, 3] { tickets[index].release() }
    expectEqual(ready.elements, ["0", "1", "elsewhere", "2", "3"])
    expectEqual(limiter.inFlightCount, 1)
  }

  @Test func manyReleasesDoNotGrowTheStack() {
    let limiter = limiter(places: 1)
    let first = acquire("first", limiter)
    let order = Locked<[Int]>([])
    for index in 0..<100_000 {
      limiter.acquire(host: "host") {
        order.withLock { $0.append(index) }
        limiter.release("host")
      }
    }
    expectEqual(limiter.waitingCount, 100_000)
    first.release()
    expectEqual(order.withLock { $0 }, Array(0..<100_000))
    expectEqual(limiter.inFlightCount, 0)
  }

  @Test func higherPrioritiesComeFirst() {
    let limiter = limiter(places: 1)
    let first = acquire("first", limiter)
    let tickets = [("l1", RequestOptions.Priority.low), ("n1", .normal), ("h1", .high), ("n2", .normal), ("h2", .high)]
      .map { name, priority in acquire(name, limiter, priority) }
    first.release()
    for index in [2, 4, 1, 3] { tickets[index].release() }
    expectEqual(ready.elements, ["first", "h1", "h2", "n1", "n2", "l1"])
  }

  @Test func cancelledRequestsLeaveTheQueueInAnyOrder() {
    let limiter = limiter(places: 1)
    let first = acquire("first", limiter)
    acquire("stays", limiter)
    var generator = SeededGenerator(seed: 9)
    let tickets = (0..<100_000).map { acquire("\($0)", limiter, $0 % 2 == 0 ? .normal : .low) }.shuffled(
      using: &generator)
    for place in tickets { #expect(place.ticket.cancel()) }
    expectEqual(limiter.waitingCount, 1)
    first.release()
    expectEqual(ready.elements, ["first", "stays"])
  }

  @Test func rateFollowsTheClock() {
    let limiter = limiter(rate: RequestLimits.Rate(requestsPerSecond: 10, burst: 2))
    for index in 0..<12 { acquire("\(index)", limiter) }
    expectEqual(ready.elements.count, 2)
    clock.advance(by: 0.0999)
    expectEqual(ready.elements.count, 2)
    clock.advance(by: 0.0002)
    expectEqual(ready.elements.count, 3)
    clock.advance(by: 0.9)
    expectEqual(ready.elements.count, 12)
    // A cancelled request leaves no timer.
    #expect(acquire("cancelled", limiter).ticket.cancel())
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test func pauseDelaysButNotForEver() {
    let limiter = limiter(serverWaitLimit: 10)
    limiter.pause("host", for: 7)
    // A response that was in transit meanwhile doesn't shorten the pause.
    limiter.pause("host", for: 1)
    acquire("one", limiter)
    clock.advance(by: 6.9)
    #expect(ready.elements.isEmpty)
    clock.advance(by: 0.2)
    expectEqual(ready.elements, ["one"])
    limiter.pause("host", for: 1e9)
    acquire("two", limiter)
    clock.advance(by: 10.001)
    expectEqual(ready.elements, ["one", "two"])
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test(arguments: [-1, 0, .nan, -.infinity] as [Double])
  func invalidWaitsAreIgnored(seconds: Double) {
    for limiter in [limiter(serverWaitLimit: seconds), limiter()] {
      limiter.pause("host", for: seconds)
      acquire("one", limiter)
    }
    limiter(serverWaitLimit: seconds).pause("host", for: 5)
    expectEqual(ready.elements, ["one", "one"])
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test func idleHostsAreForgotten() {
    let limiter = limiter(places: 1, rate: RequestLimits.Rate(requestsPerSecond: 1000))
    let kept = acquire("kept", limiter, host: "kept")
    for index in 0..<10_000 {
      acquire("", limiter, host: "\(index)").release()
      clock.advance(by: 0.01)
    }
    #expect(limiter.hostCount <= 130)
    expectEqual(limiter.inFlightCount, 1)
    kept.release()
  }

  @Test func pausedHostIsRememberedAmongManyOthers() {
    let limiter = limiter(places: 1)
    limiter.pause("paused", for: 30)
    for index in 0..<200 { acquire("", limiter, host: "\(index)").release() }
    acquire("late", limiter, host: "paused")
    #expect(!ready.elements.contains("late"))
    clock.advance(by: 30.001)
    expectEqual(ready.elements.last, "late")
  }

  @Test func emptyQueueRetainsNoTicket() {
    weak var former: RequestLimiter?
    do {
      let limiter = limiter(places: 1)
      former = limiter
      let first = acquire("first", limiter)
      for index in 0..<3 { #expect(acquire("\(index)", limiter).ticket.cancel()) }
      first.release()
    }
    #expect(former == nil)
  }

  @Test func permitsNeverExceedTheLimitOnAnyThread() async {
    let limiter = limiter(places: 3)
    let (inFlight, highest) = (Locked([0, 0]), Locked(0))
    let ended = Collector<Int>()
    await concurrently(20_000) { index in
      let host = index % 2
      let ticket = limiter.acquire(host: "\(host)", priority: RequestOptions.Priority(rawValue: index % 3) ?? .normal) {
        let count = inFlight.withLock { counts in
          counts[host] += 1
          return counts[host]
        }
        highest.withLock { $0 = max($0, count) }
        ended.append(index)
        let finish: @Sendable () -> Void = {
          inFlight.withLock { $0[host] -= 1 }
          limiter.release("\(host)")
        }
        if index % 7 == 0 { finish() } else { DispatchQueue.global().async(execute: finish) }
      }
      if index % 4 == 0, ticket.cancel() { ended.append(index) }
    }
    await ended.waitForElements(20_000)
    expectEqual(ended.elements.sorted(), Array(0..<20_000))
    expectEqual(highest.withLock { $0 }, 3)
    expectEqual(limiter.waitingCount, 0)
  }
}
