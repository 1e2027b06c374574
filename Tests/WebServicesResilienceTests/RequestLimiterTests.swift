@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct RequestLimiterTests {
  private let clock = VirtualClock()
  private let ready = Collector<String>()

  private func limiter(
    places: Int? = nil, rate: RequestLimits.Rate? = nil, serverWaitLimit: TimeInterval = 60
  ) -> RequestLimiter {
    RequestLimiter(
      RequestLimits(concurrentRequestsPerHost: places, rate: rate, serverWaitLimit: serverWaitLimit), clock: clock)
  }

  /// Requests a permit, and records when the request has it.
  @discardableResult
  private func acquire(
    _ name: String, _ limiter: RequestLimiter, host: String = "host", _ priority: RequestOptions.Priority = .normal
  ) -> Int {
    limiter.acquire(host: host, priority: priority) { [ready] in ready.append(name) }
  }

  @Test func manyReleasesDoNotGrowTheStack() {
    let limiter = limiter(places: 1)
    acquire("first", limiter)
    let order = Locked<[Int]>([])
    for index in 0..<100_000 {
      limiter.acquire(host: "host") {
        order.withLock { $0.append(index) }
        limiter.release("host")
      }
    }
    limiter.release("host")
    expectEqual(order.withLock { $0 }, Array(0..<100_000))
    expectEqual(limiter.inFlightCount, 0)
  }

  @Test func higherPrioritiesComeFirst() {
    let limiter = limiter(places: 1)
    acquire("first", limiter)
    for (name, priority) in [("l1", RequestOptions.Priority.low), ("n1", .normal), ("h1", .high), ("n2", .normal)] {
      acquire(name, limiter, priority)
    }
    acquire("elsewhere", limiter, host: "another")
    for _ in 0..<4 { limiter.release("host") }
    expectEqual(ready.elements, ["first", "elsewhere", "h1", "n1", "n2", "l1"])
  }

  @Test func cancelledRequestsLeaveTheQueueInAnyOrder() {
    let limiter = limiter(places: 1)
    acquire("first", limiter)
    acquire("stays", limiter)
    var generator = Chance(seed: 9)
    let tickets = (0..<100_000).map { acquire("\($0)", limiter, $0 % 2 == 0 ? .normal : .low) }
    #expect(tickets.shuffled(using: &generator).allSatisfy { limiter.cancel($0, host: "host") })
    expectEqual(limiter.waitingCount, 1)
    limiter.release("host")
    expectEqual(ready.elements, ["first", "stays"])
  }

  @Test func rateFollowsTheClock() {
    let limiter = limiter(rate: RequestLimits.Rate(requestsPerSecond: 10, burst: 2))
    acquire("early", limiter)
    // However long nothing is sent, no more than the burst may follow at once.
    clock.advance(by: 100)
    for index in 0..<12 { acquire("\(index)", limiter) }
    expectEqual(clock.pendingTimerCount, 1)
    for (time, count) in [(0, 3), (0.0999, 3), (0.0002, 4), (0.9, 13)] {
      clock.advance(by: time)
      expectEqual(ready.elements.count, count)
    }
    // A cancelled request leaves no timer.
    #expect(limiter.cancel(acquire("cancelled", limiter), host: "host"))
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test(arguments: [0, -1, .min])
  func limitBelowOneCountsAsOne(places: Int) {
    let limiter = limiter(places: places)
    for name in ["one", "two"] { acquire(name, limiter) }
    expectEqual(ready.elements, ["one"])
    limiter.release("host")
    expectEqual(ready.elements, ["one", "two"])
  }

  @Test func cancelledRequestLeavesTheTimerToTheOthers() {
    let limiter = limiter(rate: RequestLimits.Rate(requestsPerSecond: 1))
    acquire("one", limiter)
    let ticket = acquire("two", limiter)
    acquire("three", limiter)
    #expect(limiter.cancel(ticket, host: "host"))
    clock.advance(by: 1.001)
    expectEqual(ready.elements, ["one", "three"])
  }

  @Test func newRequestDoesNotPassThoseThatWait() {
    let limiter = limiter(serverWaitLimit: 10)
    limiter.pause("host", for: 1)
    acquire("waits", limiter)
    // The pause is over, and the timer hasn't fired yet.
    #expect(!limiter.acquireIfFree(host: "host", now: clock.now + 2))
    // The host has nothing to remember but the request that waits.
    for index in 0..<500 { #expect(limiter.acquireIfFree(host: "\(index)", now: clock.now + 2)) }
    clock.advance(by: 1.001)
    expectEqual(ready.elements, ["waits"])
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300, 1e-300] as [Double])
  func invalidRatesNeitherBlockNorOverflow(rate: Double) {
    for burst in [Int.min, 0, 1, .max] {
      var bucket = TokenBucket(RequestLimits.Rate(requestsPerSecond: rate, burst: burst))
      expectEqual(bucket.wait(now: 0), 0)
      bucket.take(now: 0)
      #expect(bucket.wait(now: 0) <= 1000)
    }
  }

  @Test func hostIsKeptUntilItsRateHasRecovered() {
    let limiter = limiter(rate: RequestLimits.Rate(requestsPerSecond: 1, burst: 2))
    for host in ["rate", "rate"] + (0..<255).map({ "host \($0)" }) {
      acquire(host, limiter, host: host)
      limiter.release(host)
    }
    clock.advance(by: 1)
    acquire("new", limiter, host: "new")
    expectEqual(limiter.state.withLock { $0.hosts.keys.sorted() }, ["new", "rate"])
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
    let unpaused = limiter(serverWaitLimit: seconds)
    unpaused.pause("host", for: 5)
    acquire("two", unpaused)
    expectEqual(ready.elements, ["one", "one", "two"])
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test func onlyIdleHostsAreForgotten() {
    let limiter = limiter(places: 1, rate: RequestLimits.Rate(requestsPerSecond: 1000))
    acquire("kept", limiter, host: "kept")
    limiter.pause("paused", for: 60)
    for index in 0..<5000 {
      acquire("", limiter, host: "\(index)")
      limiter.release("\(index)")
      clock.advance(by: 0.01)
    }
    #expect(limiter.state.withLock { $0.hosts.count } <= 130)
    expectEqual(limiter.inFlightCount, 1)
    acquire("late", limiter, host: "paused")
    #expect(!ready.elements.contains("late"))
    clock.advance(by: 10.001)
    expectEqual(ready.elements.last, "late")
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
      if index % 4 == 0, limiter.cancel(ticket, host: "\(host)") { ended.append(index) }
    }
    expectEqual(await ended.elements(20_000).sorted(), Array(0..<20_000))
    expectEqual(highest.withLock { $0 }, 3)
    expectEqual(limiter.waitingCount, 0)
  }
}
