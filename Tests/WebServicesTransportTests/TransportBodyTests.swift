@testable import WebServicesTestSupport

/// Request bodies, and responses into memory, files and receivers.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportBodyTests {
  @Test(arguments: TransportKind.own)
  func streamsOfKnownAndUnknownLengthAreSent(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.post, "/", .text("ok"))
    for length in [nil, 6] as [Int64?] {
      let stream = PieceStream(["abc", "d", "ef"], length: length)
      let response = await harness.transfer(.post, body: .stream(stream)).response
      expectEqual(response?.text, "ok")
      expectEqual(response?.metrics?.bytesSent, 6)
      await stream.closed.waitForElements(1)
      expectEqual(stream.closed.count, 1)
    }
    let requests = harness.server.requests
    expectEqual(requests.map(\.text), ["abcdef", "abcdef"])
    expectEqual(requests.map { $0.headers["Content-Length"] }, [kind.isFoundation ? "6" : nil, "6"])
    expectEqual(requests.map { $0.headers["Transfer-Encoding"] }, [kind.isFoundation ? nil : "chunked", nil])
  }

  @Test(arguments: TransportKind.own)
  func brokenStreamsAndWrongLengthsFail(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.post, "/", .text("ok"))
    let broken = PieceStream(["abc", "def"]) { index in if index == 1 { throw POSIXError(.EIO) } }
    expectEqual(await harness.transfer(.post, body: .stream(broken)).error?.kind, .file)
    await broken.closed.waitForElements(1)
    for (count, length) in [(1, 0), (7, 6), (300_000, 299_999), (262_145, 262_144), (0, 1), (300_000, 300_001)] {
      let stream = PieceStream(count: count, length: Int64(length))
      let error = await harness.transfer(.post, body: .stream(stream)).error
      expectEqual(error?.kind, .file)
      expectEqual((error?.underlying as? RequestBodyError)?.reason, .wrongLength)
      await stream.closed.waitForElements(1)
    }
    expectEqual(harness.server.requestCount, 0)
    for length in [0, 300_000] {
      let stream = PieceStream(count: length, length: Int64(length))
      expectEqual(await harness.transfer(.post, body: .stream(stream)).text, "ok")
    }
    expectEqual(harness.server.requests.map(\.body.count), [0, 300_000])
  }

  @Test(arguments: TransportKind.allCases)
  func largeBodiesArriveInMemoryAndFiles(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.put, "/", .text("ok"))
    let (data, stream) = (pattern(3_000_000), PieceStream(count: 3_000_000, length: nil))
    try data.write(to: harness.target)
    for body in [TransportBody.data(data), .file(harness.target), .stream(stream)] {
      let response = await harness.transfer(.put, body: body).response
      expectEqual(response?.text, "ok")
      if kind != .injected { expectEqual(response?.metrics?.bytesSent, 3_000_000) }
    }
    expectEqual(harness.server.requests.map { $0.body == data }, [true, true, true])
    let lengths = harness.server.requests.map { $0.headers["Content-Length"] }
    expectEqual(lengths, ["3000000", "3000000", kind.isFoundation ? "3000000" : nil])
  }

  @Test(arguments: TransportKind.own)
  func fileThatChangesWhileItIsSentFails(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.put, "/", .text("ok"))
    try Data(count: 20_000_000).write(to: harness.target)
    var request = TransportRequest(method: .put, url: harness.server.url("/"), body: .file(harness.target))
    let file = try FileHandle(forWritingTo: harness.target)
    request.onProgress = { progress in
      // The last report comes with the response, when the file isn't needed any more.
      if progress.sent < 20_000_000 { try? file.write(contentsOf: Data([7])) }
    }
    let error = await harness.transfer(request).error
    #expect(error?.kind == .file && error?.mayHaveReachedServer == true)
    expectEqual(error?.message.contains("changed"), true)
  }

  @Test(arguments: TransportKind.own)
  func slowReceiverHoldsTheServerBack(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let receiver = SlowReceiver()
    let size = 20_000_000
    harness.server.route(.get, "/", .filler(bytes: size))
    var request = TransportRequest(url: harness.server.url("/"), timeouts: .init(idle: 0.6))
    request.receiver = receiver
    async let result = harness.transfer(request)
    await receiver.pieces.waitForElements(1)
    try await Task.sleep(nanoseconds: 900_000_000)
    expectEqual(receiver.pieces.count, 1)
    receiver.letGo()
    expectEqual(await result.response?.statusCode, 200)
    #expect(receiver.byteCount == size && receiver.status == 200)
    receiver.letGo()
  }

  /// libcurl 8.5 to 8.15 read on while the receiver was busy. A break of the connection then lost those bytes.
  @Test(arguments: TransportKind.tellingBreaks)
  func breakLosesNothingThatCameBeforeIt(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/other", .text("ok"))
    let (session, other) = (harness.session, TransportRequest(url: harness.server.url("/other")))
    // Busy with each piece until another request of the session has ended.
    let receiver = SlowReceiver { done in session.transferTask(with: other) { _ in done() }.resume() }
    let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "600000"])
    let result = await harness.transfer(serving: [head, .body(Data(count: 300_000)), .close]) {
      $0.receiver = receiver
    }
    expectEqual(result.error?.kind, .truncated)
    expectEqual(receiver.byteCount, 300_000)
  }

  @Test(arguments: TransportKind.own)
  func responseBeyondTheLimitFailsAtOnce(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    // Foundation on Linux has no word for an endless head.
    let responses: [(LoopbackServer.Response, TransportError.Kind)] = [
      (.filler(bytes: 1_000_001), .tooLarge), (.endlessBody(), .tooLarge), (.endlessChunks(), .tooLarge),
      (.decompressionBomb(megabytes: 50), .tooLarge), (.endlessHead, kind.isFoundationOnLinux ? .other : .tooLarge),
    ]
    for (response, expected) in responses {
      let error = await harness.transfer(serving: response) { $0.responseLimit = 1_000_000 }.error
      expectEqual(error?.kind, expected)
      expectEqual(error.map { ($0.response?.body.count ?? 0) <= 1_000_000 }, true)
    }
    let longest = await harness.transfer(serving: .filler(bytes: 1_000_000)) { $0.responseLimit = 1_000_000 }
    #expect(longest.response != nil)
  }

  @Test(arguments: TransportKind.own)
  func endlessTrailersAreLimited(_ kind: TransportKind) async throws {
    // Trailers crash Foundation on Linux (fact 25).
    guard !kind.isFoundationOnLinux else { return }
    for receiver in [nil, SlowReceiver(isLetGo: true)] {
      let harness = try SocketHarness(kind)
      let response: LoopbackServer.Response = [
        .head(status: 200, headers: ["Transfer-Encoding": "chunked"]), .chunk(Data("ok".utf8)), "0\r\n",
        .repeated(Data("X-Trailer: trailer\r\n".utf8), times: nil),
      ]
      let result = await harness.transfer(serving: response) {
        ($0.responseLimit, $0.receiver) = (1000, receiver)
      }
      #expect(result.error?.kind == .tooLarge && result.error?.response?.statusCode == 200)
    }
  }

  @Test(arguments: TransportKind.own)
  func unknownEncodingIsPassedOnAndABrokenOneFails(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    for encoding in ["feather", "utf-8", "binary", "aws-chunked", "gzip, feather", "gzip"] {
      let result = await harness.transfer(serving: .encoded(Data("abc".utf8), as: encoding))
      if kind.isFoundationOnLinux || encoding == "gzip" {
        expectEqual(result.error?.kind, kind.isFoundationOnLinux ? .other : .badEncoding)
        continue
      }
      expectEqual(result.text, "abc")
      expectEqual(result.response?.headers["Content-Encoding"], encoding)
      expectEqual(result.response?.headers["Content-Length"], "3")
    }
  }

  @Test("fact 22: progress and timings are reported; Foundation on Linux has few", arguments: TransportKind.own)
  func progressAndTimingsAreReported(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.post, "/", .filler(bytes: 2_000_000))
    let reports = Locked<[TransportRequest.Progress]>([])
    var request = TransportRequest(method: .post, url: harness.server.url("/"), body: .data(Data(count: 1_000_000)))
    request.onProgress = { report in reports.withLock { $0.append(report) } }
    let response = try #require(await harness.transfer(request).response)
    let all = reports.withLock { $0 }
    #expect(zip(all, all.dropFirst()).allSatisfy(!=))
    expectEqual(
      all.last, .init(sent: 1_000_000, expectedToSend: 1_000_000, received: 2_000_000, expectedToReceive: 2_000_000))
    let metrics = try #require(response.metrics)
    #expect(metrics.bytesSent == 1_000_000 && metrics.bytesReceived == 2_000_000)
    if kind.isFoundationOnLinux {
      #expect(metrics.remoteAddress == nil && metrics.connect == nil)
      #expect(try #require(metrics.firstByte) <= metrics.total)
      return
    }
    expectEqual(metrics.httpVersion, "HTTP/1.1")
    expectEqual(metrics.remoteAddress, "127.0.0.1:\(harness.server.port)")
    expectEqual(metrics.localAddress?.hasPrefix("127.0.0.1:"), true)
    #expect(!metrics.isReusedConnection)
    let connect = try #require(metrics.connect)
    let firstByte = try #require(metrics.firstByte)
    #expect(connect <= firstByte && firstByte <= metrics.total)
    expectEqual(await harness.transfer(serving: .text("ok")).response?.metrics?.isReusedConnection, true)
  }

  @Test(arguments: TransportKind.own)
  func headsOfEveryKindAreRead(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(nil, "/", .text("content", headers: ["X-A": "1"]))
    let head = await harness.transfer(.head).response
    #expect(head?.headers["Content-Length"] == "7" && head?.body == Data())
    expectEqual(await harness.transfer(serving: .status(204)).response?.statusCode, 204)
    expectEqual(await harness.transfer(serving: .status(304)).response?.statusCode, 304)
    let early: LoopbackServer.Response = [.head(status: 103), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"]
    expectEqual(await harness.transfer(serving: early).text, "ok")
    let fields: HTTPHeaders = ["X-Empty": "", "User-Agent": "feather", "Accept": "a/b", "X-Blank": " "]
    _ = await harness.transfer(.get, headers: fields)
    let sent = try #require(harness.server.requests.last?.headers)
    expectEqual(sent["X-Empty"], "")
    expectEqual(sent["X-Blank"], (kind.isFoundation ? nil : ""))
    expectEqual(sent.values(for: "Accept"), ["a/b"])
    expectEqual(sent["User-Agent"], "feather")
    if !kind.isFoundation { expectEqual(harness.server.requests.first?.headers["User-Agent"], nil) }
  }
}
