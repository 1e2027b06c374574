@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct DownloadResumptionTests {
  private let request = TestRequest(path: "file")
  private let data = pattern(300_000)
  private let half = 150_000

  /// A harness whose downloads resume after `pause` seconds, and after twice as long each next time.
  private func harness(
    _ kind: TransportKind, pause: TimeInterval = 0, deadline: TimeInterval? = nil
  ) throws -> SocketHarness {
    try SocketHarness(kind) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: pause)
      configuration.random = .fixed(1)
      configuration.deadline = deadline
    }
  }

  /// A response that announces the whole length and ends in the middle.
  private func broken(_ headers: HTTPHeaders = ["ETag": "\"v1\""]) -> LoopbackServer.Response {
    var all = headers
    all.add(name: "Content-Length", value: "\(data.count)")
    return [.head(status: 200, headers: all), .body(data.prefix(half)), .close]
  }

  private func rest(_ range: String? = nil, _ headers: HTTPHeaders = [:]) -> LoopbackServer.Response {
    var all = headers
    all.add(name: "Content-Range", value: range ?? "bytes \(half)-\(data.count - 1)/\(data.count)")
    return .data(data.dropFirst(half), status: 206, headers: all)
  }

  /// The outcome of a download with the scripted responses. The server has recorded its requests.
  private func download(
    _ kind: TransportKind, _ responses: [LoopbackServer.Response]
  ) async throws -> (harness: SocketHarness, error: WebServiceError?) {
    let harness = try harness(kind)
    harness.server.script(.get, "/file", responses)
    let (_, results) = harness.download(request)
    await results.waitForElements(1)
    expectEqual(harness.names, (results.elements[0].failure == nil ? ["target"] : []))
    return (harness, results.elements[0].failure)
  }

  @Test(arguments: TransportKind.own)
  func restOfTheSameVersionIsRequestedAndProgressCountsTheWhole(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.script(.get, "/file", [broken(), rest(nil, ["ETag": "\"v1\""])])
    let reports = Collector<TransportRequest.Progress>()
    var watched = request
    watched.options.onProgress = { reports.append($0) }
    _ = try await harness.service.download(watched, to: harness.target)
    expectEqual(harness.content, data)
    await reports.waitForElement { $0.received == Int64(data.count) }
    let received = reports.elements.map(\.received)
    expectEqual(received, received.sorted())
    expectEqual(reports.elements.last?.expectedToReceive, Int64(data.count))
    #expect(reports.elements.allSatisfy { ($0.expectedToReceive ?? Int64(data.count)) == Int64(data.count) })
    let headers = harness.server.requests.map(\.headers)
    expectEqual(headers.map { $0["Range"] }, [nil, "bytes=\(half)-"])
    expectEqual(headers.map { $0["If-Range"] }, [nil, "\"v1\""])
    expectEqual(headers.last?["Accept-Encoding"], "identity")
  }

  @Test func compressedDownloadIsResumedWithoutCompression() async throws {
    let harness = try harness(TransportKind.own[0])
    let gzip = LoopbackServer.Response.gzip(data, headers: ["ETag": "\"v1\""]).cut(afterBytes: 2_000, then: .close)
    harness.server.route(.get, "/file") { [data] request in
      guard let range = request.headers["Range"], let start = Int(range.dropFirst("bytes=".count).dropLast()) else {
        return gzip
      }
      return .data(
        data.dropFirst(start), status: 206,
        headers: ["Content-Range": "bytes \(start)-\(data.count - 1)/\(data.count)", "ETag": "\"v1\""])
    }
    let response = try await harness.service.download(request, to: harness.target)
    expectEqual(harness.content, data)
    expectEqual(harness.server.requests.map { $0.headers["Accept-Encoding"] == "identity" }, [false, true])
    expectEqual(response.statusCode, 200)
    expectEqual(response.headers["Content-Length"], "\(data.count)")
  }

  @Test(arguments: TransportKind.own)
  func stallWithinTheBodyIsResumed(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.script(
      .get, "/file",
      [
        [
          .head(status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "\(data.count)"]), .body(data.prefix(half)),
          .never,
        ], rest(),
      ])
    var quick = request
    quick.options.timeout = 1
    _ = try await harness.service.download(quick, to: harness.target)
    expectEqual(harness.content, data)
  }

  @Test(arguments: TransportKind.own)
  func wrongPartNeverReachesTheFile(_ kind: TransportKind) async throws {
    for part in [rest("bytes 149999-299999/300000"), rest(nil, ["ETag": "\"v2\""])] {
      let (harness, error) = try await download(kind, [broken(), part])
      expectEqual(error?.kind, .sessionFailure)
      expectEqual(error?.message, "the server sent a part of the file that wasn't requested")
      expectEqual(error?.statusCode, 206)
      expectEqual(harness.server.requestCount, 2)
    }
  }

  @Test(arguments: TransportKind.own)
  func partThatNobodyAskedForIsRefused(_ kind: TransportKind) async throws {
    let (harness, error) = try await download(kind, [rest("bytes 0-149999/300000")])
    expectEqual(error?.message, "the server sent a part of the file that wasn't requested")
    harness.server.route(.get, "/file", rest("bytes 0-149999/300000"))
    var own = request
    own.headers.range = .bytes(0...149_999)
    let results = harness.download(own).results
    await results.waitForElements(1)
    expectEqual(try results.elements[0].get().statusCode, 206)
    expectEqual(harness.content, data.dropFirst(half))
  }

  @Test(arguments: TransportKind.own)
  func shorterPartsMakeTheWholeFile(_ kind: TransportKind) async throws {
    let ends = [half, 150_001, 200_000, 300_000]
    let parts = zip(ends, ends.dropFirst()).map { first, end -> LoopbackServer.Response in
      let headers: HTTPHeaders = [
        "Content-Range": "bytes \(first)-\(end - 1)/\(data.count)", "Transfer-Encoding": "chunked", "ETag": "\"v1\"",
      ]
      return [.head(status: 206, headers: headers), .chunk(data[first..<end]), .lastChunk()]
    }
    let (harness, error) = try await download(kind, [broken()] + parts)
    #expect(error == nil && harness.content == data)
    expectEqual(
      harness.server.requests.map { $0.headers["Range"] },
      [nil, "bytes=150000-", "bytes=150001-", "bytes=200000-"])
  }

  @Test(arguments: TransportKind.own)
  func partWithMoreBytesThanItSaysIsRefused(_ kind: TransportKind) async throws {
    let headers: HTTPHeaders = [
      "Content-Range": "bytes \(half)-\(half + 9)/\(data.count)", "Transfer-Encoding": "chunked",
    ]
    let long: LoopbackServer.Response = [
      .head(status: 206, headers: headers), .chunk(data[half..<(half + 11)]), .lastChunk(),
    ]
    let (harness, error) = try await download(kind, [broken(), long])
    expectEqual(error?.message, "the server sent a part of the file that wasn't requested")
    expectEqual(harness.server.requestCount, 2)
  }

  @Test(arguments: TransportKind.own)
  func serverThatRestartsIsAskedAgain(_ kind: TransportKind) async throws {
    let (harness, error) = try await download(kind, [broken(), .close, .reset, rest()])
    #expect(error == nil && harness.content == data)
    expectEqual(harness.server.requestCount, 4)
  }

  @Test(arguments: TransportKind.own)
  func resumptionsAreNoAttemptsOfTheRetryPolicy(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { configuration in
      configuration.retry = RetryPolicy(attemptLimit: 2, backoff: RetryPolicy.Backoff(base: 1))
      configuration.random = .fixed(1)
    }
    harness.server.script(.get, "/file", [broken(), broken(), .status(503), rest()])
    let results = harness.download(request).results
    for pause in [1.0, 2.0, 1.0] {
      await harness.clock.waitForTimer(after: pause)
      harness.clock.advance(by: pause)
    }
    await results.waitForElements(1)
    #expect(results.elements[0].failure == nil && harness.content == data)
  }

  @Test(arguments: TransportKind.own)
  func validatorsSeeTheResponseForTheWholeFile(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: 0)
      configuration.validators = [.statusCodes(200...200)]
    }
    harness.server.script(.get, "/file", [broken(), rest()])
    expectEqual(try await harness.service.download(request, to: harness.target).statusCode, 200)
    expectEqual(harness.content, data)
  }

  @Test(arguments: TransportKind.own)
  func unsatisfiableRangeDownloadsTheWholeFile(_ kind: TransportKind) async throws {
    let (harness, error) = try await download(
      kind, [broken(), .text("no", status: 416, headers: ["Content-Range": "bytes */10"]), .data(data)])
    #expect(error == nil && harness.content == data)
    expectEqual(harness.server.requests.map { $0.headers["Range"] }, [nil, "bytes=\(half)-", nil])
  }

  @Test(arguments: TransportKind.own)
  func alwaysBrokenConnectionResumesTenTimes(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.get, "/file", broken())
    let error = await harness.error { try await harness.service.download(request, to: harness.target) }
    expectEqual(error?.kind, .sessionFailure)
    expectEqual(harness.server.requestCount, 11)
    #expect(harness.names.isEmpty)
  }

  @Test(arguments: TransportKind.own)
  func delaysBetweenResumptionsGrow(_ kind: TransportKind) async throws {
    let harness = try harness(kind, pause: 2)
    harness.server.script(.get, "/file", [broken(), broken(), rest()])
    let (_, results) = harness.download(request)
    for (index, pause) in [2.0, 4.0].enumerated() {
      await harness.clock.waitForTimer(after: pause)
      harness.clock.advance(by: pause - 0.1)
      expectEqual(harness.server.requestCount, index + 1)
      harness.clock.advance(by: 0.1)
    }
    await results.waitForElements(1)
    expectEqual(harness.content, data)
    expectEqual(harness.server.requestCount, 3)
  }

  @Test(arguments: TransportKind.own, [false, true])
  func endDuringADelayEndsTheDownload(_ kind: TransportKind, isReset: Bool) async throws {
    let harness = try harness(kind, pause: 2)
    harness.server.script(.get, "/file", [broken(), rest()])
    let (task, results) = harness.download(request)
    await harness.clock.waitForTimer(after: 2)
    isReset ? harness.service.invalidateAndCancel() : task.cancel()
    await results.waitForElements(1)
    expectEqual(results.elements.map(\.failure?.kind), [.cancelled])
    expectEqual(harness.server.requestCount, 1)
    #expect(harness.names.isEmpty)
  }

  @Test(
    arguments: TransportKind.own)
  func deadlineCoversAllResumptions(_ kind: TransportKind) async throws {
    let harness = try harness(kind, pause: 2, deadline: 5)
    harness.server.route(.get, "/file", broken())
    let (_, results) = harness.download(request)
    await harness.clock.waitForTimer(after: 2)
    harness.clock.advance(by: 2)
    await results.waitForElements(1)
    expectEqual(results.elements.first?.failure?.kind, .sessionFailure)
    expectEqual(harness.server.requestCount, 2)
  }
}
