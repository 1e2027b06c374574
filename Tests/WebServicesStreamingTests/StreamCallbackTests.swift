@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct StreamCallbackTests {
  private let request = TestRequest(path: "stream")
  private let log = Collector<String>()
  private let gate = LoopbackServer.Gate()
  /// The queue is concurrent, so callbacks that never overlap here never overlap on any queue.
  private let queue = DispatchQueue(label: "stream", attributes: .concurrent)

  private func note(_ completion: Result<WebServiceResponse, WebServiceError>) {
    switch completion {
    case .success(let head): log.append("\(head.statusCode) \(head.body.count)")
    case .failure(let error): log.append("\(error.kind)")
    }
  }

  private func start(_ harness: SocketHarness, onElement: @escaping @Sendable (Character) -> Void = { _ in })
    -> WebServiceTask
  {
    harness.service.stream(request, as: .letters, callbackQueue: queue) { [log] letter in
      log.append(String(letter))
      onElement(letter)
    } completion: { [self] in
      note($0)
    }
  }

  private func route(_ harness: SocketHarness, _ text: String = "abc") {
    harness.server.route(.get, "/stream", .letters([text], between: [gate]))
  }

  /// Waits until all enqueued callbacks have run.
  private func settle() async {
    await withCheckedContinuation { continuation in
      queue.async(flags: .barrier) { continuation.resume() }
    }
  }

  @Test(arguments: TransportKind.own)
  func elementsArriveSeriallyBeforeTheCompletion(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let pieces = (0..<300).map { _ in "abcdefghij" }
    harness.server.route(.get, "/stream", .chunked(pieces))
    let running = Locked(0)
    let task = start(harness) { _ in
      expectEqual(running.takeNext(), 0)
      running.withLock { $0 -= 1 }
    }
    await log.waitForElements(3_002)
    task.cancel()
    await settle()
    expectEqual(log.elements.dropLast().joined(), pieces.joined() + ".")
    expectEqual(log.elements.last, "200 0")
  }

  @Test(arguments: TransportKind.own)
  func cancelWithinAnElementEndsTheElements(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    route(harness)
    _ = start(harness) { letter in
      if letter == "b" { harness.service.invalidateAndCancel() }
    }
    await log.waitForElements(3)
    await settle()
    expectEqual(log.elements, ["a", "b", "cancelled"])
  }

  /// The response is complete, so that nothing but the reader can end the elements.
  @Test func cancelWithinAnElementOfACompleteResponseEndsTheElements() async {
    let harness = VirtualHarness.held()
    let task = Locked<WebServiceTask?>(nil)
    harness.queue.suspend()
    let started = harness.service.stream(TestRequest(), as: .letters, callbackQueue: harness.queue) { [log] letter in
      log.append(String(letter))
      if letter == "b" { task.withLock { $0 }?.cancel() }
    } completion: { [self] in
      note($0)
    }
    task.withLock { $0 = started }
    harness.session.open.first?.respond(body: "abc")
    harness.queue.resume()
    await log.waitForElement { $0 == "cancelled" || $0 == "200 0" }
    expectEqual(log.elements, ["a", "b", "cancelled"])
  }

  @Test func lateResponseOfAnEarlierTransferIsNotRead() async throws {
    let harness = VirtualHarness.held { $0.retry = RetryPolicy(attemptLimit: 2, backoff: .init(base: 0)) }
    harness.service.stream(TestRequest(), as: .letters, callbackQueue: harness.queue) { [log] letter in
      log.append(String(letter))
    } completion: { [self] in
      note($0)
    }
    let late = try #require(harness.session.open.first)
    late.fail(.connectionLost)
    harness.clock.advance(by: 0)
    late.request.receiver?.didReceive(head: WebServiceResponse(statusCode: 200, url: late.request.url))
    late.request.receiver?.didReceive(Data("x".utf8)) {}
    let second = try #require(harness.session.open.first)
    second.respond(body: "ab")
    await log.waitForElement { $0 == "200 0" }
    expectEqual(log.elements, ["a", "b", ".", "200 0"])
  }

  @Test(arguments: TransportKind.own)
  func undecodableElementsAndUnsentStreamsFail(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    route(harness, "!")
    _ = start(harness)
    await log.waitForElements(1)
    harness.service.stream(TestRequest(path: "http://[bad"), as: .letters, callbackQueue: queue) { _ in
      Issue.record("an element")
    } completion: { [self] in
      note($0)
    }
    await log.waitForElements(2)
    await settle()
    expectEqual(log.elements, ["undecodableBody", "badURL"])
  }

  @Test(arguments: TransportKind.own)
  func headOfAnAcceptedErrorHasNoBody(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.validators = [] }
    harness.server.route(.get, "/stream", .text("ab", status: 404))
    _ = start(harness)
    expectEqual(await log.elements(4), ["a", "b", ".", "404 0"])
  }

  /// Says when the closure that holds it is released.
  private final class Witness: Sendable {
    let log: Collector<String>
    init(_ log: Collector<String>) { self.log = log }
    deinit { log.append("released") }
  }

  /// The closure for the progress is still busy when an element can't be decoded.
  @Test func noProgressFollowsTheEndOfAStreamThatItsReaderEnds() async throws {
    let harness = VirtualHarness.held()
    let (began, mayGoOn) = (Collector<Void>(), DispatchSemaphore(value: 0))
    do {
      let witness = Witness(log)
      let options = RequestOptions {
        $0.onProgress = { progress in
          began.add()
          if progress.received == 1 { mayGoOn.wait() }
          witness.log.append("\(progress.received)")
        }
      }
      harness.service.stream(TestRequest(options: options), as: .letters, callbackQueue: harness.queue) { _ in
        Issue.record("an element")
      } completion: { [self] in
        note($0)
      }
      let sent = try #require(harness.session.open.first).request
      for received: Int64 in 1...2 {
        let progress = TransportRequest.Progress(
          sent: 0, expectedToSend: nil, received: received, expectedToReceive: nil)
        sent.onProgress?(progress)
        await began.waitForElements(1)
      }
      sent.receiver?.didReceive(head: WebServiceResponse(statusCode: 200, url: sent.url))
      sent.receiver?.didReceive(Data("!".utf8)) {}
      await log.waitForElements(1)
    }
    harness.session.releaseTransfers()
    mayGoOn.signal()
    await log.waitForElement { $0 == "released" }
    expectEqual(log.elements, ["undecodableBody", "1", "released"])
  }
}
