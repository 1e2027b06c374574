@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct DownloadResumptionTests {
  private let request = TestRequest(path: "file")
  private let data = HalfFile.data

  /// A harness whose downloads resume after `pause` seconds, and after twice as long each next time.
  private func harness(
    _ kind: TransportKind, pause: TimeInterval = 0, _ responses: [LoopbackServer.Response] = [],
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws -> SocketHarness {
    let harness = try SocketHarness(kind) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: pause)
      configuration.random = .fixed(1)
      configure(&configuration)
    }
    if !responses.isEmpty { harness.server.script(.get, "/file", responses) }
    return harness
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func restOfTheSameVersionIsRequestedAndProgressCountsTheWhole(_ kind: TransportKind) async throws {
    // The validators see the response for the whole file.
    let harness = try harness(kind, [HalfFile.broken(), HalfFile.rest()]) { $0.validators = [.statusCodes(200...200)] }
    let reports = Collector<TransportRequest.Progress>()
    var watched = request
    watched.options.onProgress = { reports.append($0) }
    expectEqual(try await harness.service.download(watched, to: harness.target).statusCode, 200)
    expectEqual(harness.content, data)
    await reports.waitForElement { $0.received == Int64(data.count) }
    let received = reports.elements.map(\.received)
    expectEqual(received, received.sorted())
    expectEqual(reports.elements.last?.expectedToReceive, Int64(data.count))
    #expect(reports.elements.allSatisfy { ($0.expectedToReceive ?? Int64(data.count)) == Int64(data.count) })
    expectEqual(harness.ranges, [nil, "bytes=150000-"])
    let headers = harness.server.requests.map(\.headers)
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
    #expect(response.statusCode == 200 && response.headers["Content-Length"] == "\(data.count)")
  }

  /// Some stores send what they have, whatever coding the request refuses. Their offsets count compressed bytes.
  @Test(arguments: [206, 200])
  func restThatIsCompressedAllTheSameIsReplacedByTheWhole(status: Int) async throws {
    let harness = try harness(TransportKind.own[0])
    let whole = LoopbackServer.Response.gzip(data, headers: ["ETag": "\"v1\""])
    let part: HTTPHeaders = ["Content-Range": "bytes 100-102/103", "Content-Encoding": "gzip", "ETag": "\"v1\""]
    let rest = status == 206 ? .data(Data("end".utf8), status: 206, headers: part) : whole
    harness.server.script(.get, "/file", [whole.cut(afterBytes: 2_000, then: .close), rest, whole])
    _ = try await harness.service.download(request, to: harness.target)
    expectEqual(harness.content, data)
  }

  @Test(arguments: TransportKind.own)
  func stallWithinTheBodyIsResumed(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    // On a busy machine the rest may come too late, and is requested again.
    harness.server.script(.get, "/file", [HalfFile.broken(then: .never), HalfFile.rest()], repeatingLast: 1)
    var quick = request
    quick.options.timeout = 1
    _ = try await harness.service.download(quick, to: harness.target)
    expectEqual(harness.content, data)
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func resumptionBeginsAtTheURLOfTheRequestWithItsCredentials(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    let other = try LoopbackServer.forTest()
    // Such a URL is often good for some minutes only.
    let places = ["/one", "/two"].map { other.url($0) }
    harness.server.script(
      .get, "/file", places.map { .text("", status: 302, headers: ["Location": $0.absoluteString]) })
    other.script(.get, "/one", [HalfFile.broken()])
    other.script(.get, "/two", [HalfFile.rest()])
    let authorized = TestRequest(path: "file", authorization: .bearer)
    _ = try await harness.service.download(authorized, to: harness.target)
    expectEqual(harness.content, data)
    expectEqual(other.requests.map(\.path), ["/one", "/two"])
    let sent = (harness.server.requests + other.requests).map { $0.headers["Authorization"] != nil }
    expectEqual(sent, [true, true, false, false])
  }

  /// A resumption begins with the request, and a POST must not be sent twice.
  @Test func postThatARedirectTurnedIntoAGetIsNotResumed() async throws {
    let harness = try harness(TransportKind.own[0])
    harness.server.script(.post, "/file", [.text("", status: 303, headers: ["Location": "/one"])])
    harness.server.route(.get, "/one", HalfFile.broken())
    let post = TestRequest(path: "file", method: .post)
    let error = await thrown { try await harness.service.download(post, to: harness.target) }
    expectEqual(error?.kind, .sessionFailure)
    expectEqual(harness.server.requests.map(\.path), ["/file", "/one"])
  }

  /// A timeout names the failure of the attempt before, whose server may repeat what the redirect's URL has.
  @Test(arguments: TransportKind.tellingBreaks)
  func timeoutOfAResumptionShowsNoSecretOfARedirect(_ kind: TransportKind) async throws {
    let harness = try harness(kind, pause: 1) { $0.deadline = 5 }
    let headers: HTTPHeaders = ["ETag": "\"v1\"", "X-Trace": "trace top-secret-token"]
    harness.server.script(
      .get, "/file", [.text("", status: 302, headers: ["Location": "/one?token=top-secret-token"]), [.never]])
    harness.server.route(.get, "/one", HalfFile.broken(headers))
    let results = harness.download(request).results
    await harness.clock.waitForTimer(after: 1)
    harness.clock.advance(by: 1)
    await harness.server.waitForRequests(count: 3)
    harness.clock.advance(by: 4)
    let error = await results.elements(1).first?.failure
    expectEqual(error?.kind, .timedOut)
    let text = error?.description ?? ""
    #expect(text.contains("X-Trace: trace ") && !text.contains("top-secret"))
  }

  /// A part in chunks, whose head says nothing of its length but the range.
  private func part(_ first: Int, _ end: Int, _ bytes: Data) -> LoopbackServer.Response {
    let headers: HTTPHeaders = [
      "Content-Range": "bytes \(first)-\(end - 1)/\(data.count)", "Transfer-Encoding": "chunked", "ETag": "\"v1\"",
    ]
    return [.head(status: 206, headers: headers), .chunk(bytes), .lastChunk()]
  }

  @Test func shorterPartIsContinuedWithoutAPause() async throws {
    let parts = [
      part(150_000, 200_000, data[150_000..<200_000]), part(200_000, data.count, data[200_000..<data.count]),
    ]
    let harness = try harness(TransportKind.own[0], pause: 1, [HalfFile.broken()] + parts)
    let results = harness.download(request).results
    await harness.clock.waitForTimer(after: 1)
    harness.clock.advance(by: 1)
    expectEqual(await results.elements(1).first?.failure?.kind, nil)
    expectEqual(harness.content, data)
    expectEqual(harness.ranges, [nil, "bytes=150000-", "bytes=200000-"])
  }

  @Test func bodyThatCanBeReadOnceIsNotSentForTheRest() async throws {
    let harness = try harness(TransportKind.own[0])
    harness.server.route(.get, "/file", HalfFile.broken())
    var once = request
    once.body = .stream(PieceStream(["a"], length: 1, isReplayable: false), contentType: "a/b")
    expectEqual(await harness.downloadError(of: once)?.kind, .sessionFailure)
    expectEqual(harness.server.requestCount, 1)
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func partThatWasNotRequestedNeverReachesTheFile(_ kind: TransportKind) async throws {
    let first = HalfFile.rest("bytes 0-149999/300000")
    let scripts = [
      [HalfFile.broken(), HalfFile.rest("bytes 149999-299999/300000")],
      [HalfFile.broken(), HalfFile.rest("bytes 150000-299999/300000", ["ETag": "\"v2\""])],
      [HalfFile.broken(), part(150_000, 150_010, data[150_000..<150_011])], [first],
    ]
    for responses in scripts {
      let harness = try harness(kind, responses)
      let error = await harness.downloadError(of: request)
      #expect(error?.kind == .sessionFailure && error?.statusCode == 206)
      expectEqual(error?.message, "the server sent a part of the file that wasn't requested")
      expectEqual(harness.server.requestCount, responses.count)
      #expect(harness.names.isEmpty)
    }
    let harness = try harness(kind, [first])
    var own = request
    own.headers.range = .bytes(0...149_999)
    expectEqual(try await harness.service.download(own, to: harness.target).statusCode, 206)
    expectEqual(harness.content, data.dropFirst(HalfFile.half))
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func resumptionsAreNoAttemptsOfTheRetryPolicy(_ kind: TransportKind) async throws {
    let responses = [HalfFile.broken(), HalfFile.broken(), .status(503), HalfFile.rest()]
    let harness = try harness(kind, responses) {
      $0.retry = RetryPolicy(attemptLimit: 2, backoff: RetryPolicy.Backoff(base: 1))
    }
    let results = harness.download(request).results
    for (index, pause) in [1.0, 2.0, 1.0].enumerated() {
      await harness.clock.waitForTimer(after: pause)
      harness.clock.advance(by: pause - 0.1)
      expectEqual(harness.server.requestCount, index + 1)
      harness.clock.advance(by: 0.1)
    }
    await results.waitForElements(1)
    #expect(results.elements.first?.failure == nil && harness.content == data)
  }

  @Test func openCircuitIsWaitedForByADownloadThatHasBytes() async throws {
    // The layer refuses the second transfer, as an open circuit does.
    let transfers = Locked(0)
    let layer = SendingLayer { request, session, completion in
      let number = transfers.withLock { transfers in
        transfers += 1
        return transfers
      }
      guard number == 2 else { return session.next.transferTask(with: request, completion: completion) }
      return session.finishedTask(with: .failure(.unsent(.refusedBySession, "refused")), completion: completion)
    }
    let harness = try harness(TransportKind.own[0], [HalfFile.broken(), HalfFile.rest()]) { $0.layers = [layer] }
    expectEqual(await harness.downloadError(of: request)?.kind, nil)
    expectEqual(harness.content, data)
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func deadlineCoversAllResumptions(_ kind: TransportKind) async throws {
    let harness = try harness(kind, pause: 2) { $0.deadline = 5 }
    harness.server.route(.get, "/file", HalfFile.broken())
    let (_, results) = harness.download(request)
    await harness.clock.waitForTimer(after: 2)
    harness.clock.advance(by: 2)
    expectEqual(await results.elements(1).first?.failure?.kind, .sessionFailure)
    expectEqual(harness.server.requestCount, 2)
  }
}
