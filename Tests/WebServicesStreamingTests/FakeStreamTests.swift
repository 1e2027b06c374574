@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct FakeStreamTests {
  private let folder: TemporaryFolder
  private var target: URL { folder.url.appendingPathComponent("target") }

  init() throws { folder = try TemporaryFolder() }

  /// A layer that responds by itself, as an app's own cache does.
  private func answering(_ response: @escaping @Sendable (TransportRequest) -> WebServiceResponse) -> SendingLayer {
    SendingLayer { $1.finishedTask(with: .success(response($0)), completion: $2) }
  }

  @Test func errorOfALineShowsTheLine() async {
    let response = WebServiceResponse(statusCode: 200, url: testURL("https://h/"))
    let lines = ResponseStream(
      response: response, pieces: [Data("1\n[\"two\"]\n".utf8)], format: .jsonLines(Int.self))
    let error = await thrown { for try await _ in lines {} }
    #expect(error?.description.contains("two") == true, "\(String(describing: error))")
  }

  @Test func responseOfALayerIsStreamedAndWritten() async throws {
    let harness = VirtualHarness.held(layers: [
      answering { WebServiceResponse(statusCode: 203, url: $0.url, body: Data("abc".utf8)) }
    ])
    expectEqual(try await harness.service.stream(TestRequest(), as: .letters).text, "abc.")
    let head = try await harness.service.download(TestRequest(), to: target)
    #expect(head.statusCode == 203 && head.body.isEmpty)
    expectEqual(try Data(contentsOf: target), Data("abc".utf8))
    #expect(harness.session.transfers.isEmpty)
  }

  @Test func secondResponseOfATransferReplacesTheFirst() async throws {
    // A layer that sends again inside of one transfer passes on both responses.
    let layer = answering { request in
      var response = WebServiceResponse(statusCode: 200, url: request.url)
      request.receiver?.didReceive(head: response)
      request.receiver?.didReceive(Data("half".utf8)) {}
      response.statusCode = 502
      request.receiver?.didReceive(head: response)
      request.receiver?.didReceive(Data("bad".utf8)) {}
      return response
    }
    let harness = VirtualHarness.held(layers: [layer]) { $0.validators = [] }
    let error = await thrown { try await harness.service.download(TestRequest(), to: target) }
    expectEqual(error?.kind, .statusCode(502))
    expectEqual(error?.response?.body, Data("bad".utf8))
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  /// A response in one transfer, whose pieces a layer passes on before the end.
  private func layer(_ sent: Collector<Void> = Collector(), end: TransportError? = nil, status: Int) -> SendingLayer {
    SendingLayer { request, session, completion in
      sent.add()
      request.receiver?.didReceive(
        head: WebServiceResponse(statusCode: end?.response?.statusCode ?? 200, url: request.url))
      for letter in ["a", "b"] { request.receiver?.didReceive(Data(letter.utf8)) {} }
      let response = WebServiceResponse(statusCode: status, url: request.url)
      return session.finishedTask(with: end.map { .failure($0) } ?? .success(response), completion: completion)
    }
  }

  @Test(arguments: [nil, TransportError(.connectionLost, message: "", mayHaveReachedServer: true)])
  func streamThatHasBegunIsNotRequestedAgain(end: TransportError?) async {
    let sent = Collector<Void>()
    let harness = VirtualHarness.held(layers: [layer(sent, end: end, status: 503)]) {
      $0.retry = RetryPolicy(backoff: .init(base: 0))
    }
    harness.service.stream(TestRequest(), as: .letters, callbackQueue: harness.queue) { _ in
    } completion: { _ in
    }
    harness.clock.advance(by: 0)
    await harness.settle()
    expectEqual(sent.elements.count, 1)
  }

  @Test func brokenResponseOfAnErrorHasTheBodySoFar() async {
    let response = WebServiceResponse(statusCode: 500, url: URL(fileURLWithPath: "/"))
    let end = TransportError(.connectionLost, message: "", mayHaveReachedServer: true, response: response)
    let harness = VirtualHarness.held(layers: [layer(end: end, status: 500)])
    let error = await thrown { try await harness.service.download(TestRequest(), to: target) }
    expectEqual(error?.response?.body, Data("ab".utf8))
  }

  @Test func readerGetsNoBytesOfACancelledRequest() async throws {
    let harness = VirtualHarness.held(layers: [layer(status: 200)])
    var letters = try await harness.service.stream(TestRequest(), as: .letters).makeAsyncIterator()
    expectEqual(try await letters.next(), "a")
    harness.service.invalidateAndCancel()
    let error = await thrown { try await letters.next() }
    expectEqual(error?.kind, .cancelled)
  }

  @Test func piecesAreReadOnceWithoutEmptyOnes() async throws {
    let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"))
    let stream = ResponseStream(response: response, pieces: [Data("ab".utf8), Data(), Data("c".utf8)], format: .data)
    var pieces: [String] = []
    for try await piece in stream { pieces.append(String(decoding: piece, as: UTF8.self)) }
    expectEqual(pieces, ["ab", "c"])
    await thrown { for try await _ in stream {} }
    let broken = ResponseStream(response: response, pieces: [Data("!".utf8)], format: .letters)
    let error = await thrown { for try await _ in broken {} }
    expectEqual(error?.kind, .undecodableBody)
  }

  @Test func fakeServiceStreamsAndDownloads() async throws {
    let service = HeldService()
    let (log, stored) = (Collector<String>(), Collector<Bool>())
    service.stream(TestRequest(), as: .letters, callbackQueue: .global()) {
      log.append("\($0)")
    } completion: {
      log.append($0.failure == nil ? "end" : "error")
    }
    service.download(TestRequest(), to: target, callbackQueue: .global()) {
      stored.append($0.failure == nil)
    }
    service.respondToAll("ab")
    expectEqual(await log.elements(4), ["a", "b", ".", "end"])
    expectEqual(stored.elements, [true])
    expectEqual(try Data(contentsOf: target), Data("ab".utf8))
  }
}
