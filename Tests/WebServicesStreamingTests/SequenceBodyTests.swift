@testable import WebServicesTestSupport

/// Bodies of an asynchronous sequence, which goes on while they are sent.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct SequenceBodyTests {
  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    let harness = try SocketHarness(kind) { configuration in
      configuration.clock = SystemClock.shared
      // A busy machine may need long to give each sequence a thread.
      configuration.timeout = 600
    }
    harness.server.route(.post, "/*", .text("ok"))
    return harness
  }

  private static func sequence(_ texts: String..., end error: (any Error)? = nil) -> AsyncThrowingStream<
    Data, any Error
  > {
    AsyncThrowingStream { continuation in
      for text in texts { continuation.yield(Data(text.utf8)) }
      continuation.finish(throwing: error)
    }
  }

  /// The body as a transport gets it.
  private func body(_ body: RequestBody) throws -> TransportBody {
    let request = Request("https://api.example.com", .post, body: body)
    return try RequestRun(request, accept: "", engine: JsonWebService().engine).describe().body
  }

  private static let pieces = (0..<40).map { Data(repeating: UInt8($0), count: $0 * 5000) }

  @Test(arguments: TransportKind.own)
  func sequenceIsSentInChunksOrWithItsLength(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    let stream = AsyncStream<Data> { continuation in
      for piece in Self.pieces { continuation.yield(piece) }
      continuation.finish()
    }
    let whole = Self.pieces.reduce(Data(), +)
    expectEqual(try await harness.received(.stream(stream, contentType: "a/b")), whole)
    expectEqual(harness.server.requests.last?.headers["Content-Type"], "a/b")
    let body = RequestBody.stream(Self.sequence("ab", "", "cd"), contentType: "text/csv", length: 4)
    expectEqual(try await harness.received(body), Data("abcd".utf8))
    expectEqual(harness.server.requests.last?.headers["Content-Length"], "4")
    expectEqual(try await harness.received(.stream(Self.sequence(), contentType: "a/b")), Data())
    #expect(!body.isReplayable)
    #expect(RequestBody.stream(Self.sequence(), contentType: "a/b", isReplayable: true).isReplayable)
    _ = try await harness.received(.stream(Self.sequence("ab"), contentType: "a/b").compressed())
    expectEqual(harness.server.requests.last?.headers["Content-Encoding"], (RequestBody.canCompress ? "gzip" : nil))
  }

  @Test(arguments: TransportKind.own)
  func errorOfTheSequenceFailsTheRequest(_ kind: TransportKind) async throws {
    struct Broken: Error {}
    let harness = try harness(kind)
    let bodies: [RequestBody] = [
      .stream(Self.sequence("ab", end: Broken()), contentType: "a/b"),
      .stream(Self.sequence("ab"), contentType: "a/b", length: 1),
    ]
    for body in bodies {
      let error = await thrown { try await harness.received(body) }
      #expect(error?.kind == .file && error?.underlying(as: TransportError.self)?.kind == .file)
    }
  }

  @Test func smallPiecesAreReadTogether() async throws {
    let (sent, ended) = (Collector<Int>(), Collector<Bool>())
    let lines = AsyncStream<Data> {
      sent.append(1)
      guard sent.elements.count <= 1000 else {
        ended.append(true)
        return nil
      }
      return Data("line\n".utf8)
    }
    let reader = try #require(try body(.stream(lines, contentType: "a/b")).makeReader())
    // The sequence ends before the first read: no piece waits for the piece before it.
    await ended.waitForElements(1)
    expectEqual(try reader.read(upTo: 4096).count, 4096)
    expectEqual(try reader.read(upTo: 4096).count, 904)
    reader.close()
  }

  @Test func closedReaderEndsASequenceThatWaitsForRoom() async throws {
    let endless = EndlessPieces()
    let reader = try #require(try body(.stream(endless, contentType: "a/b")).makeReader())
    // The read must not block the thread that the sequence needs.
    await endless.made.waitForElements(1)
    expectEqual(try reader.read(upTo: 1).count, 1)
    // The sequence makes another piece once the first read leaves room, and then waits.
    await endless.made.waitForElements(2)
    reader.close()
    await endless.ended.waitForElements(1)
    expectEqual(endless.made.count, 2)
  }

  @Test func pieceThatComesAfterTheReaderIsClosedEndsItsSequence() async throws {
    // The sequence makes its piece when its task is cancelled.
    let late = EndlessPieces(size: 1, waits: true)
    let reader = try #require(try body(.stream(late, contentType: "a/b")).makeReader())
    await late.made.waitForElements(1)
    reader.close()
    await late.ended.waitForElements(1)
    expectEqual(late.made.count, 1)
  }

  @Test func sequenceWaitsUntilFewBytesAreLeft() async throws {
    let large = EndlessPieces(size: 200_000)
    let reader = try #require(try body(.stream(large, contentType: "a/b")).makeReader())
    await large.made.waitForElements(1)
    expectEqual(try reader.read(upTo: 1).count, 1)
    reader.close()
    await large.ended.waitForElements(1)
    expectEqual(large.made.count, 1)
  }

  @Test func bytesThatWereReadTakeNoMemory() async throws {
    let pieces = EndlessPieces(size: 20_000)
    let reader = try #require(try body(.stream(pieces, contentType: "a/b")).makeReader())
    for round in 0..<10 {
      // Four pieces fill the room, and each read makes room for two. So the bytes never run out.
      await pieces.made.waitForElements(4 + 2 * round)
      let bytes = try reader.read(upTo: 40_000)
      #expect(bytes.count == 40_000 && bytes.startIndex < 100_000)
    }
    reader.close()
    await pieces.ended.waitForElements(1)
  }

  /// `nil` stands for a session that takes whole bodies alone.
  @Test(arguments: TransportKind.own + [nil])
  func cancelledRequestEndsASequenceThatWaits(_ kind: TransportKind?) async throws {
    let service = try kind.map { try harness($0).service } ?? VirtualHarness.scripted(.status(204)).service
    let (started, ended) = (Collector<Bool>(), Collector<Bool>())
    let never = AsyncStream<Data> {
      started.append(true)
      // Suspends until the task is cancelled.
      let silence = AsyncStream<Void> { _ in }
      for await _ in silence {}
      ended.append(Task.isCancelled)
      return nil
    }
    let body = RequestBody.stream(never, contentType: "a/b")
    let request = Task { [service] in
      try await service.sendRequest(Request(kind == nil ? "https://h/" : "upload", .post, body: body), parser: .nothing)
    }
    await started.waitForElements(1)
    request.cancel()
    expectEqual(await ended.elements(1), [true])
    await thrown { try await request.value }
  }
}

extension SocketHarness {
  /// The body that the server received.
  fileprivate func received(_ body: RequestBody) async throws -> Data {
    try await service.sendRequest(Request("upload", .post, body: body), parser: .nothing)
    return try #require(server.requests.last).body
  }
}

/// Pieces without an end. Each may wait for the cancel of its task. The sequence records each piece, and when its
/// iterator is released.
private struct EndlessPieces: AsyncSequence, Sendable {
  var size = 65_536
  var waits = false
  let made = Collector<Void>()
  let ended = Collector<Void>()

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  final class Iterator: AsyncIteratorProtocol {
    private let pieces: EndlessPieces

    init(_ pieces: EndlessPieces) { self.pieces = pieces }

    deinit { pieces.ended.add() }

    func next() async throws -> Data? {
      pieces.made.add()
      if pieces.waits { await pieces.made.waitForElements(.max) }
      return Data(count: pieces.size)
    }
  }
}
