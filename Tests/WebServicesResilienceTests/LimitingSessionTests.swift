@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// Limits as a layer, and in a whole service.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct LimitingSessionTests {
  private let harness = VirtualHarness.held {
    $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
  }

  @Test func freedPermitSkipsRequestsThatEnd() {
    let first = harness.transfer("first")
    let doomed = (0..<3).map { harness.transfer("\($0)") }
    let last = harness.transfer("last")
    for request in doomed { request.observer.mayBeSent.withLock { $0 = false } }
    first.task.cancel()
    expectEqual(harness.session.paths, ["/first", "/last"])
    expectEqual(doomed.map(\.outcomes), Array(repeating: ["cancelled"], count: 3))
    harness.session.open.first?.respond()
    expectEqual(last.outcomes, ["200"])
  }

  @Test func cancelledRequestCostsNothingOfTheRate() {
    let harness = VirtualHarness.held { $0.layers = [.limits(RequestLimits(rate: .init(requestsPerSecond: 1)))] }
    let requests = ["first", "second", "third"].map { harness.transfer($0) }
    requests[1].task.cancel()
    harness.clock.advance(by: 1.001)
    expectEqual(harness.session.paths, ["/first", "/third"])
    harness.session.respondToAll()
  }

  @Test func priorityOfTheServiceCountsForRequestsWithoutOne() {
    let harness = VirtualHarness.held {
      $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
      $0.priority = .low
    }
    harness.transfer("first")
    harness.transfer("low")
    harness.transfer("normal") { $0.options.priority = .normal }
    for _ in 0..<3 { harness.session.open.first?.respond() }
    expectEqual(harness.session.paths, ["/first", "/normal", "/low"])
  }

  @Test func bypassingRequestSkipsTheQueue() {
    harness.transfer("first")
    harness.transfer("second")
    let third = harness.transfer("third") { $0.options.bypassesLimits = true }
    expectEqual(harness.session.paths, ["/first", "/third"])
    expectEqual(third.notes, ["starts", "sent"])
    harness.session.respondToAll()
  }

  // MARK: In a whole service

  /// Otherwise a loop over a stream could wait for its own requests.
  @Test func streamHoldsAPermitUnlessItBypassesTheLimits() async throws {
    for bypasses in [false, true] {
      let request = TestRequest(options: RequestOptions { $0.bypassesLimits = bypasses })
      let isChecked = Collector<Void>()
      let stream = Task {
        let stream = try await harness.service.stream(request, as: .lines)
        await isChecked.waitForElements(1)
        return stream.response.statusCode
      }
      await harness.session.waitForTransfers(1)
      let sent = try #require(harness.session.open.first)
      sent.request.receiver?.didReceive(head: WebServiceResponse(statusCode: 200, url: sent.request.url))
      let (_, results) = harness.send("other")
      expectEqual(harness.session.paths, bypasses ? ["/cities", "/other"] : ["/cities"])
      // The task then releases the stream, which cancels it.
      isChecked.add()
      expectEqual(try await stream.value, 200)
      await harness.session.waitForTransfers(2)
      harness.session.open.last?.respond()
      expectEqual(await results.elements(1).map(\.error?.kind), [nil])
      harness.session.respondToAll()
      harness.session.releaseTransfers()
    }
  }

  /// Cached and shared responses wait for a permit in this order of the layers, and each releases it.
  @Test func limitsInFrontOfCacheAndSharedTransfersEndAllRequests() async {
    let wall = WallClock()
    let harness = VirtualHarness.held {
      $0.layers = [
        .limits(RequestLimits(concurrentRequestsPerHost: 1)),
        .cache(ResponseCache(MemoryResponseStore()) { wall.now }), .coalescing,
      ]
    }
    let fresh: HTTPHeaders = ["Cache-Control": "max-age=60, stale-while-revalidate=600", "ETag": "\"1\""]
    harness.send("stored")
    harness.session.open.first?.respond(200, fresh)
    // The hit waits behind the open request, and so does the stale one with its refresh in the background.
    let requests = ["open", "stored", "stored"].map { harness.send($0) }
    await harness.settle()
    expectEqual(requests.map(\.results.elements.count), [0, 0, 0])
    wall.advance(by: 61)
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(requests.map { $0.results.elements.map(\.error?.kind) }, [[nil], [nil], [nil]])
    harness.session.respondToAll()
    CacheSession.queue.sync(flags: .barrier) {}
  }

  @Test func retryAfterPausesItsHostOnceAndNotWhenItIsStored() {
    let harness = VirtualHarness.held { $0.layers = [.limits(RequestLimits()), .cache(ResponseCache())] }
    // Only these two statuses say that the host accepts no request (RFC 9110, section 10.2.3).
    harness.transfer("moved")
    harness.session.open.first?.respond(302, ["Retry-After": "7"])
    harness.transfer("stored")
    harness.session.open.first?.respond(503, ["Retry-After": "7", "Cache-Control": "max-age=60"])
    harness.transfer("paused")
    harness.transfer("elsewhere", host: "other.example.com")
    harness.session.open.first?.respond(429, ["Retry-After": "7"])
    harness.transfer("later", host: "other.example.com")
    harness.transfer("broken", host: "third.example.com")
    // The head of a response that breaks off counts too.
    let head = WebServiceResponse(
      statusCode: 503, headers: ["Retry-After": "7"], url: testURL("https://third.example.com/broken"))
    harness.session.open.first?.complete(with: .failure(.sent(.truncated, "the body breaks off", response: head)))
    harness.transfer("last", host: "third.example.com")
    expectEqual(harness.session.paths, ["/moved", "/stored", "/elsewhere", "/broken"])
    harness.clock.advance(by: 7.1)
    expectEqual(harness.transfer("stored").outcomes, ["503"])
    harness.transfer("next")
    expectEqual(
      Set(harness.session.paths),
      ["/moved", "/stored", "/elsewhere", "/broken", "/paused", "/later", "/last", "/next"])
    harness.session.respondToAll()
  }

  /// The response that asks for a pause also frees a permit.
  @Test func pausePrecedesTheNextRequest() {
    harness.transfer("first")
    harness.transfer("second")
    harness.session.open.first?.respond(429, ["Retry-After": "7"])
    expectEqual(harness.session.paths, ["/first"])
    harness.clock.advance(by: 7.1)
    expectEqual(harness.session.paths, ["/first", "/second"])
    harness.session.respondToAll()
  }

  @Test func renewalBypassesAFullLimiter() async {
    let clock = VirtualClock(now: 1000)
    let manager = BasicAuthManager(clock: clock)
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: 0)
    let harness = VirtualHarness.held(
      layers: [.limits(RequestLimits(concurrentRequestsPerHost: 1))], tokenManager: manager, clock: clock)
    // A request without a token holds the only permit all the time.
    harness.send("long")
    let (_, results) = harness.send("short", authorization: .bearer)
    await harness.session.waitForTransfers(2)
    expectEqual(harness.session.open.map(\.path), ["/long", "/renew"])
    harness.session.open.last?.respond(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    harness.session.open.first?.respond()
    await harness.session.waitForTransfers(3)
    harness.session.open.first?.respond()
    expectEqual(await results.elements(1).map(\.model), [City(name: "Bath")])
    manager.clear()
  }
}
