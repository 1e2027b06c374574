@testable import WebServicesTestSupport
@testable import WebServicesStreaming

extension StreamFormat where Element == Character {
  /// Each byte is an element. `!` can't be decoded, and `.` follows the last byte.
  static var letters: StreamFormat {
    StreamFormat(accept: "text/letters") { _ in
      var letters: [Character] = []
      var hasEnded = false
      return Decoder(
        append: { letters += Array(String(decoding: $0, as: UTF8.self)) },
        next: { isWhole in
          if isWhole, !hasEnded {
            letters.append(".")
            hasEnded = true
          }
          guard !letters.isEmpty else { return nil }
          let letter = letters.removeFirst()
          if letter == "!" { throw LetterError() }
          return letter
        })
    }
  }
}

struct LetterError: Error {}

extension ResponseStream<Character> {
  /// All letters in one text.
  var text: String { get async throws { try await reduce(into: "") { $0.append($1) } } }
}

extension LoopbackServer.Response {
  /// Chunks of letters. A gate follows each of the first chunks.
  static func letters(_ texts: [String] = ["abc"], between gates: [LoopbackServer.Gate]) -> Self {
    var steps: [LoopbackServer.Step] = [.head(status: 200, headers: ["Transfer-Encoding": "chunked", "X-A": "1"])]
    for (index, text) in texts.enumerated() {
      steps.append(.chunk(Data(text.utf8)))
      if index < gates.count { steps.append(.wait(gates[index])) }
    }
    return Self(steps + [.lastChunk()])
  }
}

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct StreamTests {
  private let request = TestRequest(path: "stream")

  @Test(arguments: TransportKind.own)
  func headOpensTheStreamAndPiecesArriveWhileTheServerSends(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let (beginning, gates) = (LoopbackServer.Gate(), [LoopbackServer.Gate(), LoopbackServer.Gate()])
    harness.server.route(.get, "/stream", .letters(["ab", "c", "d"], between: gates).afterHead(.wait(beginning)))
    let stream = try await harness.service.stream(request, as: .letters)
    expectEqual(harness.clock.pendingTimerCount, 0)
    beginning.open()
    let head = stream.response
    #expect(head.statusCode == 200 && head.headers["X-A"] == "1" && head.body.isEmpty)
    expectEqual(harness.server.requests.first?.headers["Accept"], "text/letters")
    var iterator = stream.makeAsyncIterator()
    for letter in "ab" { expectEqual(try await iterator.next(), letter) }
    gates[0].open()
    expectEqual(try await iterator.next(), "c")
    expectEqual(harness.service.requestCount, 1)
    gates[1].open()
    for letter in ["d", ".", nil, nil] as [Character?] { expectEqual(try await iterator.next(), letter) }
  }

  @Test(arguments: TransportKind.own)
  func sleepingReaderHoldsTheServerBack(_ kind: TransportKind) async throws {
    guard !kind.isFoundationOnLinux else { return }
    let harness = try SocketHarness(kind)
    let gate = LoopbackServer.Gate()
    // The content exceeds the buffers of the sockets, so the server has to wait for the reader.
    let size = 24 * 1024 * 1024
    let block = Data(count: 65_536)
    harness.server.route(
      .get, "/stream",
      [
        .head(status: 200, headers: ["Content-Length": "\(size + 1)"]), .repeated(block, times: size / block.count),
        .wait(gate), .body(Data([1])),
      ])
    var quick = request
    quick.options.timeout = 0.2
    let stream = try await harness.service.stream(quick, as: .data)
    var iterator = stream.makeAsyncIterator()
    var count = try await iterator.next()?.count ?? 0
    // The pause is longer than the timeout: a slow reader must not look like an idle server.
    #expect(await !gate.waitUntilReached(timeout: 0.6))
    gate.open()
    while let piece = try await iterator.next() { count += piece.count }
    expectEqual(count, size + 1)
  }

  @Test(arguments: TransportKind.own)
  func errorThatTheValidatorsAcceptIsRead(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.validators = [] }
    harness.server.route(.get, "/stream", .text("ab", status: 404))
    let stream = try await harness.service.stream(request, as: .letters)
    expectEqual(stream.response.statusCode, 404)
    expectEqual(try await stream.text, "ab.")
  }

  @Test(arguments: TransportKind.own)
  func redirectsAndRefusedTokensPrecedeTheStream(_ kind: TransportKind) async throws {
    let manager = ClosureTokenManager(replace: { $0(.success(AccessToken(value: "token-1", generation: 1))) })
    let harness = try SocketHarness(kind, tokenManager: manager)
    harness.server.route(.get, "/stream", .text("elsewhere", status: 302, headers: ["Location": "/other"]))
    harness.server.route(.get, "/other") { request in
      request.headers["api-token"] == "token-1" ? .text("ab") : .text("refused", status: 401)
    }
    let stream = try await harness.service.stream(TestRequest(path: "stream", authorization: .apiToken), as: .letters)
    expectEqual(try await stream.text, "ab.")
    expectEqual(stream.response.url, harness.server.url("/other"))
  }
}
