import Foundation
import Testing
import WebServices
import WebServicesTesting

@Suite("How a stream ends before its time", .timeLimit(.minutes(1)))
struct StreamEndTests {
  private let request = TestRequest(path: "stream")
  private let gate = LoopbackServer.Gate()

  /// Sends some letters, and the rest once the gate is open.
  private func route(_ stage: ServiceStage, _ text: String = "abc") {
    stage.server.route(
      .get, "/stream",
      [
        .head(status: 200, headers: ["Transfer-Encoding": "chunked"]), .chunk(Data(text.utf8)), .wait(gate),
        .lastChunk(),
      ])
  }

  @Test("A Swift task that is cancelled already sends nothing", arguments: TransportKind.own)
  func cancelledBefore(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await stage.error { try await stage.service.stream(request, as: .letters) }
    }.value
    #expect(error?.kind == .cancelled)
    #expect(stage.server.connectionsAccepted == 0)
    await stage.expectNothingLeft()
  }

  @Test("Cancelling the Swift task before the head", arguments: TransportKind.own)
  func beforeHead(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/stream", .silence)
    let task = Task { await stage.error { try await stage.service.stream(request, as: .letters) } }
    await stage.server.waitForRequests()
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    await stage.expectNothingLeft(open: 0)
  }

  @Test("Cancelling the Swift task between two pieces", arguments: TransportKind.own)
  func betweenPieces(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    route(stage)
    let taken = Collector<Character>()
    let task = Task {
      await stage.error {
        for try await letter in try await stage.service.stream(request, as: .letters) { taken.append(letter) }
      }
    }
    await taken.waitForElements(3)
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(taken.elements == ["a", "b", "c"])
    await stage.expectNothingLeft(open: 0)
  }

  @Test("Leaving the loop, also where the stream itself is still held", arguments: TransportKind.own)
  func leavingLoop(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    route(stage)
    let stream = try await stage.service.stream(request, as: .letters)
    for try await letter in stream {
      #expect(letter == "a")
      break
    }
    await stage.expectNothingLeft(open: 0)
    withExtendedLifetime(stream) {}
  }

  @Test("Dropping a stream that nobody read", arguments: TransportKind.own)
  func dropping(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    route(stage)
    do { _ = try await stage.service.stream(request, as: .letters) }
    await stage.expectNothingLeft(open: 0)
  }

  @Test("After a reset nothing is delivered, not even what has come and been decoded", arguments: TransportKind.own)
  func reset(_ kind: TransportKind) async throws {
    for (readBefore, isWhole) in [(0, false), (1, false), (0, true), (1, true)] {
      let stage = try ServiceStage(kind)
      route(stage)
      if isWhole { stage.server.route(.get, "/stream", .text("abc")) }
      var iterator = try await stage.service.stream(request, as: .letters).makeAsyncIterator()
      for _ in 0..<readBefore { #expect(try await iterator.next() == "a") }
      stage.service.invalidateAndCancel()
      let error = await stage.error { try await iterator.next() }
      #expect(error?.kind == .cancelled)
      #expect(try await iterator.next() == nil)
      await stage.expectNothingLeft(open: 0)
    }
  }

  @Test("Before the head the timeout of the request counts, and not any more after it", arguments: TransportKind.own)
  func timeoutOfHead(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/stream", .silence)
    let task = Task { await stage.error { try await stage.service.stream(request, as: .letters) } }
    await stage.server.waitForRequests()
    stage.clock.advance(by: 29.999)
    #expect(stage.service.requestCount == 1)
    stage.clock.advance(by: 0.001)
    let error = await task.value
    #expect(error?.kind == .timedOut)
    #expect(error?.phase == .send)
    await stage.expectNothingLeft(open: 0)
    route(stage)
    var iterator = try await stage.service.stream(request, as: .letters).makeAsyncIterator()
    stage.clock.advance(by: 1_000)
    #expect(try await iterator.next() == "a")
  }

  @Test("After the head the timeout counts from byte to byte", arguments: TransportKind.own)
  func idle(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    route(stage)
    var quick = request
    quick.options.timeout = 0.2
    let taken = Collector<Character>()
    let error = await stage.error {
      for try await letter in try await stage.service.stream(quick, as: .letters) { taken.append(letter) }
    }
    #expect(error?.kind == .timedOut)
    #expect(error?.underlying(as: TransportError.self)?.kind == .timedOut(.idle))
    #expect(error?.statusCode == 200)
    // On a busy machine the reader may not have read all letters.
    #expect("abc".hasPrefix(String(taken.elements)))
    await stage.expectNothingLeft(open: 0)
  }

  @Test("What can't be decoded ends the request", arguments: TransportKind.own)
  func undecodable(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    route(stage, "!")
    let stream = try await stage.service.stream(request, as: .letters)
    var iterator = stream.makeAsyncIterator()
    let error = await stage.error { try await iterator.next() }
    #expect(error?.kind == .undecodableBody)
    #expect(error?.phase == .read)
    #expect(error?.statusCode == 200)
    #expect(error?.underlying is LetterError)
    #expect(try await iterator.next() == nil)
    await stage.expectNothingLeft(open: 0)
  }

  @Test("A connection that breaks is told, after what had come and been taken", arguments: TransportKind.own)
  func broken(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(
      .get, "/stream",
      [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("abc".utf8)), .wait(gate), .close])
    var iterator = try await stage.service.stream(request, as: .letters).makeAsyncIterator()
    for letter in "abc" { #expect(try await iterator.next() == letter) }
    gate.open()
    let error = await stage.error { try await iterator.next() }
    #expect(error?.kind == .sessionFailure)
    #expect(error?.underlying(as: TransportError.self)?.kind == .truncated)
    await stage.expectNothingLeft(open: 0)
  }
}
