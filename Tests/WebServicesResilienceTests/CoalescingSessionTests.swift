@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// Shared transfers as a layer, and their repetition in a whole service.
@Suite(.leavesNothing) struct CoalescingSessionTests {
  private let harness = VirtualHarness.held { $0.layers = [.coalescing] }

  private var count: Int? { (harness.layered as? CoalescingSession)?.count }

  /// Two requests of a transfer that waits for another request.
  private func queued(_ priority: RequestOptions.Priority? = nil) -> (VirtualHarness<HeldSession>, [SentTransfer]) {
    let harness = VirtualHarness.held {
      $0.layers = [.coalescing, .limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    harness.transfer("other")
    return (harness, (0..<2).map { _ in harness.transfer("a") { $0.options.priority = priority } })
  }

  @Test func equalRequestsShareATransferInOrder() {
    let requests = (0..<4).map { _ in harness.transfer("a") }
    let other = harness.transfer("b")
    expectEqual(harness.session.paths, ["/a", "/b"])
    expectEqual(count, 2)
    harness.session.open.first?.respond()
    expectEqual(requests.map(\.outcomes), Array(repeating: ["200"], count: 4))
    expectEqual(requests.map(\.response?.source), [.network] + Array(repeating: .otherTransfer, count: 3))
    expectEqual(requests.map(\.notes), [["starts", "sent"]] + Array(repeating: ["starts", "coalesced"], count: 3))
    harness.session.open.first?.respond()
    expectEqual(other.outcomes, ["200"])
    expectEqual(count, 0)
  }

  @Test(arguments: 0..<3)
  func lastLeavingRequestEndsTheTransfer(first: Int) {
    let requests = (0..<3).map { _ in harness.transfer() }
    for step in 0..<3 {
      expectEqual(harness.session.open.count, 1)
      let request = requests[(first + step) % 3]
      request.task.cancel()
      request.task.cancel()
      expectEqual(request.outcomes, ["cancelled"])
    }
    #expect(harness.session.open.isEmpty)
    expectEqual(count, 0)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    harness.session.respondToAll()
  }

  /// A session may need a moment to end a transfer.
  @Test func nobodyJoinsATransferThatIsBeingCancelled() {
    let completions = Collector<HeldTask.Completion>()
    let deaf = SendingLayer { _, _, completion in
      completions.append(completion)
      return FinishedTask()
    }
    let harness = VirtualHarness.held { $0.layers = [.coalescing, deaf] }
    harness.transfer().task.cancel()
    let next = harness.transfer()
    expectEqual(completions.elements.count, 2)
    for completion in completions.elements { completion(.failure(.cancelledUnsent)) }
    expectEqual(next.outcomes, ["cancelled"])
  }

  @Test(arguments: [false, true])
  func callerThatLeavesLearnsWhetherTheTransferWasSent(isSent: Bool) {
    let (harness, requests) = queued()
    if isSent { harness.session.open.first?.respond() }
    let reason = requests[1].task.withdrawIfUnsent()
    expectEqual(reason, isSent ? nil : .turn(host: "api.example.com", limit: nil))
    harness.session.respondToAll()
  }

  @Test func timeoutsStartWhenSentOrJoined() {
    let (harness, requests) = queued()
    expectEqual(requests.map(\.notes), [["waiting(limit)"], ["coalesced"]])
    harness.session.open.first?.respond()
    let late = harness.transfer("a")
    expectEqual(requests.map(\.notes), [["waiting(limit)", "starts", "sent"], ["coalesced", "starts"]])
    expectEqual(late.notes, ["starts", "coalesced"])
    harness.session.respondToAll()
  }

  /// Otherwise the counts of monitors would lack the transfer.
  @Test func eventsBelongToTheFirstRequestThatStillWaits() {
    let (harness, requests) = queued()
    requests[0].task.cancel()
    harness.session.respondToAll()
    expectEqual(requests[1].notes, ["coalesced", "starts", "sent"])
    expectEqual(requests[1].response?.source, .network)
  }

  @Test(arguments: [[false, true], [true, false], [false, false]])
  func transferIsSentWhileOneRequestMayBeSent(mayBeSent: [Bool]) {
    let (harness, requests) = queued()
    for (request, isAllowed) in zip(requests, mayBeSent) { request.observer.mayBeSent.withLock { $0 = isAllowed } }
    harness.session.open.first?.respond()
    let isSent = mayBeSent.contains(true)
    expectEqual(harness.session.paths, (isSent ? ["/other", "/a"] : ["/other"]))
    expectEqual(requests[1].outcomes, (isSent ? [] : ["cancelled"]))
    harness.session.respondToAll()
  }

  @Test(arguments: [204, 500], [true, false])
  func requestAfterAChangeSharesNoTransferFromBeforeIt(status: Int, isCancelled: Bool) {
    let early = harness.transfer("a")
    harness.transfer("a", host: "other.example.com")
    harness.transfer("b") { $0.method = .put }
    harness.transfer("a")
    expectEqual(harness.session.paths, ["/a", "/a", "/b"])
    harness.session.open.last?.respond(status)
    harness.transfer("a")
    harness.transfer("a", host: "other.example.com")
    expectEqual(harness.session.paths, ["/a", "/a", "/b", "/a"])
    // The end of the earlier transfer leaves the later one to be joined.
    if isCancelled { early.task.cancel() } else { harness.session.open.first?.respond() }
    let late = harness.transfer("a")
    expectEqual([early, late].map(\.outcomes), [[isCancelled ? "cancelled" : "200"], []])
    expectEqual(harness.session.transfers.count, 4)
    harness.session.respondToAll()
    expectEqual(count, 0)
  }

  /// It would be the transfer of the caller's next attempt too.
  @Test(arguments: 0..<2)
  func nobodyJoinsATransferThatWasTooSlowForACaller(slow: Int) {
    let requests = (0..<2).map { _ in harness.transfer() }
    requests[slow].timeOut()
    let next = harness.transfer()
    expectEqual(harness.session.transfers.count, 2)
    harness.session.respondToAll()
    expectEqual([requests[1 - slow], requests[slow], next].map(\.outcomes), [["200"], ["cancelled"], ["200"]])
  }

  /// An inner layer asks before it sends. After an end without a cancel, a cache may refresh the response.
  @Test(arguments: [true, false])
  func onlyAnAbandonedTransferRefusesToBeSent(isAbandoned: Bool) {
    let callers = (0..<2).map { _ in harness.transfer() }
    let observer = harness.session.open.first?.request.context.observer
    #expect(observer?.refusal() == nil)
    if isAbandoned { callers.forEach { $0.task.cancel() } } else { harness.session.respondToAll() }
    expectEqual(observer?.refusal()?.kind, isAbandoned ? .cancelled : nil)
  }

  @Test func requestOfHighPriorityJoinsNoWaitingTransferOfLowPriority() {
    let (harness, low) = queued(.low)
    let high = (0..<2).map { _ in harness.transfer("a") { $0.options.priority = .high } }
    let late = harness.transfer("a") { $0.options.priority = .low }
    harness.session.open.first?.respond()
    harness.session.open.first?.respond()
    expectEqual(harness.session.paths, ["/other", "/a", "/a"])
    expectEqual((high + [late]).map(\.outcomes), Array(repeating: ["200"], count: 3))
    expectEqual(low.map(\.outcomes), [[], []])
    harness.session.respondToAll()
    // A transfer that was sent is as good as one's own.
    harness.transfer("b") { $0.options.priority = .low }
    let joined = harness.transfer("b") { $0.options.priority = .high }
    expectEqual(joined.notes, ["starts", "coalesced"])
    harness.session.respondToAll()
  }

  @Test func transferThatItsCallersLeaveWhileItIsMadeIsNotSent() {
    let leave = Locked<(@Sendable () -> Void)?>(nil)
    let leaving = SendingLayer { request, session, completion in
      leave.withLock { $0 }?()
      return session.next.transferTask(with: request, completion: completion)
    }
    let harness = VirtualHarness.held { $0.layers = [.coalescing, leaving] }
    let caller = harness.transfer(resumes: false)
    leave.withLock { $0 = { caller.task.cancel() } }
    caller.task.resume()
    expectEqual(caller.outcomes, ["cancelled"])
    #expect(harness.session.transfers.isEmpty)
    leave.withLock { $0 = nil }
  }

  private enum OpaqueKey: RequestOptions.Key {
    static var defaultValue: @Sendable () -> Void { {} }
  }

  @Test func optionsDecideAboutSharing() {
    let onDemand = VirtualHarness.held { $0.layers = [.coalescing(byDefault: false)] }
    for _ in 0..<2 {
      harness.transfer("own") { $0.options.coalesces = false }
      harness.transfer("past") { $0.options.bypassesLimits = true }
      onDemand.transfer("own")
      onDemand.transfer("shared") { $0.options.coalesces = true }
    }
    expectEqual(harness.session.paths, ["/own", "/past", "/own", "/past"])
    expectEqual(onDemand.session.paths, ["/own", "/shared", "/own"])
    for _ in 0..<2 { harness.transfer("opaque") { $0.options[OpaqueKey.self] = {} } }
    harness.session.respondToAll()
    onDemand.session.respondToAll()
    expectEqual(harness.session.transfers.count, 6)
    expectEqual(count, 0)
  }
}
