@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct HeldTaskTests {
  private let session = HeldSession()
  private let ends = Collector<String>()
  /// The results that the layer has delivered.
  private let handled = Collector<String>()
  private let request = TransportRequest(url: URL(fileURLWithPath: "/a"))

  /// The waits that a cancel has ended.
  private let endedWaits = Collector<Void>()

  @discardableResult
  private func wait(_ task: HeldTask) -> Bool {
    task.wait { [endedWaits] in
      endedWaits.append(())
      return .network
    }
  }

  private func task(begin: @escaping @Sendable (HeldTask) -> Void) -> HeldTask {
    HeldTask({ [ends] in ends.append($0.word) }, begin: begin)
  }

  private func send(_ task: HeldTask, to session: (any URLSessionProtocol)? = nil) {
    task.send(request, to: session ?? self.session) { [handled] result in
      handled.append(result.word)
      task.finish(result)
    }
  }

  @Test func cancelBeforeResumeStartsNothing() {
    let begun = Collector<Void>()
    let task = task { _ in begun.append(()) }
    task.cancel()
    task.resume()
    task.cancel()
    expectEqual(ends.elements, ["cancelled"])
    #expect(begun.elements.isEmpty)
  }

  @Test(arguments: [false, true])
  func cancelledWaitEndsAtOnceAndSendsNothing(isEarly: Bool) {
    let task = task { if !isEarly { wait($0) } }
    task.resume()
    task.cancel()
    if isEarly { #expect(!wait(task)) }
    expectEqual(endedWaits.elements.count, 1)
    send(task)
    #expect(session.transfers.isEmpty)
    expectEqual([handled.elements, ends.elements], [["cancelled"], ["cancelled"]])
  }

  @Test func endedWaitAndSecondResumeChangeNothing() {
    let task = task { send($0) }
    task.resume()
    task.resume()
    expectEqual(session.transfers.count, 1)
    #expect(!wait(task))
    #expect(endedWaits.elements.isEmpty)
    session.open.first?.respond()
    expectEqual(ends.elements, ["200"])
  }

  @Test func waitThatIsRecordedAfterTheTransferHasEnded() {
    let task = task { $0.send(request, to: session) { _ in } }
    task.resume()
    session.open.first?.respond()
    #expect(!wait(task))
    expectEqual(task.withdraw(), nil)
    task.cancel()
    #expect(endedWaits.elements.isEmpty && ends.elements.isEmpty)
  }

  @Test(arguments: [false, true])
  func cancelReachesTheNextSession(isEarly: Bool) {
    let task = task { task in
      // Cancels the task while the next session makes its own.
      let cancelling = SendingLayer { request, session, completion in
        task.cancel()
        return session.next.transferTask(with: request, completion: completion)
      }
      send(task, to: isEarly ? cancelling.wrap(session, for: LayerContext()) : nil)
    }
    task.resume()
    expectEqual(session.open.count, isEarly ? 0 : 1)
    task.cancel()
    #expect(session.open.isEmpty)
    expectEqual(session.transfers.count, isEarly ? 0 : 1)
    expectEqual([handled.elements, ends.elements], [["cancelled"], ["cancelled"]])
  }

  @Test func onlyWaitingRequestIsWithdrawn() {
    let waiting = task { wait($0) }
    expectEqual(waiting.withdraw(), nil)
    waiting.resume()
    expectEqual(waiting.withdraw(), .network)
    expectEqual(ends.elements, ["cancelled"])
    let sent = task { send($0) }
    sent.resume()
    expectEqual(sent.withdraw(), nil)
    expectEqual(session.open.count, 1)
    session.open.first?.respond()
    expectEqual(ends.elements, ["cancelled", "200"])
  }
}
