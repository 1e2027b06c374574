@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct ProgressRelayTests {
  private func progress(_ received: Int64) -> TransportRequest.Progress {
    TransportRequest.Progress(sent: 0, expectedToSend: nil, received: received, expectedToReceive: nil)
  }

  @Test func lastProgressAlwaysArrivesInOrder() async {
    for _ in 0..<100 {
      let (values, running) = (Collector<Int64>(), Locked(0))
      let relay = ProgressRelay { progress in
        running.withLock { $0 += 1 }
        values.append(progress.received)
        expectEqual(running.withLock { $0 }, 1)
        running.withLock { $0 -= 1 }
      }
      for value in 1...500 { relay.report(progress(Int64(value)), ofTransfer: 1) }
      await values.waitForElement { $0 == 500 }
      expectEqual(values.elements, values.elements.sorted())
      expectEqual(values.elements.last, 500)
    }
  }

  /// A slow handler skips the second value.
  @Test(arguments: ["response", "cancel"])
  func completionFollowsTheLastReport(end: String) async {
    let harness = VirtualHarness.held()
    let story = Collector<String>()
    let (began, mayGoOn) = (Collector<Void>(), DispatchSemaphore(value: 0))
    let options = RequestOptions {
      $0.onProgress = { progress in
        began.add()
        if progress.received == 1 { mayGoOn.wait() }
        story.append("\(progress.received)")
      }
    }
    let task = harness.service.sendRequest(TestRequest(options: options), callbackQueue: harness.queue) {
      (_: WebServiceResult<City>) in
      story.append("completion")
    }
    let transfer = harness.session.open.first
    transfer?.request.onProgress?(progress(1))
    await began.waitForElements(1)
    for value: Int64 in 2...3 { transfer?.request.onProgress?(progress(value)) }
    if end == "cancel" { task.cancel() } else { transfer?.respond() }
    await harness.settle()
    expectEqual(story.elements, [])
    mayGoOn.signal()
    await story.waitForElements(3)
    transfer?.request.onProgress?(progress(4))
    await harness.settle()
    expectEqual(story.elements, ["1", "3", "completion"])
  }

  @Test func progressOfAnEarlierTransferIsNotReported() async {
    let harness = VirtualHarness.held { $0.retry = RetryPolicy(backoff: RetryPolicy.Backoff(base: 0)) }
    let values = Collector<Int64>()
    let options = RequestOptions { $0.onProgress = { values.append($0.received) } }
    let (_, results) = harness.send(options: options)
    let first = harness.session.open.first
    first?.request.onProgress?(progress(1))
    await values.waitForElements(1)
    first?.respond(503)
    harness.clock.advance(by: 0)
    harness.session.open.first?.request.onProgress?(progress(2))
    await values.waitForElements(2)
    first?.request.onProgress?(progress(9))
    harness.session.open.first?.respond()
    // The completion comes behind the relay's queue.
    await results.waitForElements(1)
    expectEqual(values.elements, [1, 2])
  }
}
