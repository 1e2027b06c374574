@testable import WebServicesTestSupport
@testable import WebServicesTransport

/// Checks that transports avoid the faults of Foundation's `URLSession` on Linux. The article "Running on Linux" lists
/// each fault by its number.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportFactsTests {
  @Test("fact 1: a 401 with any challenge completes, and nothing answers it", arguments: TransportKind.own)
  func anyChallengeCompletes(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let responses: [LoopbackServer.Response] = [
      .unauthorized(#"Basic realm="test""#), .unauthorized("Bearer", #"Basic realm="test""#),
      .unauthorized(#"Digest realm="test", qop="auth", algorithm=MD5, nonce="6d3f1a""#), .unauthorized("Negotiate"),
      .unauthorized(#"Feather realm="test""#),
    ]
    for response in responses {
      let result = await harness.transfer(serving: response)
      expectEqual(result.response?.statusCode, 401)
      expectEqual(result.text, "unauthorized")
    }
    // Credentials in the URL are never sent.
    harness.server.route(.get, "/", .unauthorized(#"Basic realm="test""#))
    let url = testURL("http://user:secret@127.0.0.1:\(harness.server.port)/")
    expectEqual(await harness.transfer(TransportRequest(url: url)).response?.statusCode, 401)
    expectEqual(harness.server.requestCount, responses.count + 1)
    #expect(harness.server.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test("facts 2, 3: cancels that race responses complete once", arguments: TransportKind.allCases)
  func racingCancelsCompleteOnce(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/", .text("ok"))
    let tally = Collector<Void>()
    let url = harness.server.url("/")
    // On Linux each transfer over Foundation has a `URLSession` of its own, which takes long to end.
    let rounds = kind.rawValue == "curl" ? 150 : 9
    let each = 60
    for round in 0..<rounds {
      let tasks = (0..<each).map { _ in
        harness.session.transferTask(with: TransportRequest(url: url)) { _ in tally.add() }
      }
      tasks.forEach { $0.resume() }
      // In one of three rounds some requests have completed by then.
      if round % 3 == 0 { await tally.waitForElements(round * each + round % each) }
      DispatchQueue.concurrentPerform(iterations: tasks.count) { tasks[$0].cancel() }
    }
    await tally.waitForElements(rounds * each)
    expectEqual(await harness.transfer("/").text, "ok")
    expectEqual(tally.count, rounds * each)
  }

  @Test("facts 5, 14: invalid timeouts are refused, and huge ones are no limit", arguments: TransportKind.allCases)
  func invalidTimeoutsAreRefused(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    for seconds in [TimeInterval.nan, .infinity, 0, -1] {
      for timeout in [\TransportRequest.Timeouts.connect, \.idle] {
        let result = await harness.transfer(serving: .text("ok")) { $0.timeouts[keyPath: timeout] = seconds }
        expectEqual(result.error?.kind, .invalidRequest)
      }
    }
    expectEqual(harness.server.requestCount, 0)
    let result = await harness.transfer(serving: .text("ok")) { $0.timeouts = .init(connect: 1e17, idle: 1e300) }
    expectEqual(result.text, "ok")
  }

  @Test("fact 6: a handler may wait for another request", arguments: TransportKind.own)
  func handlersMayWaitForAnotherRequest(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/", .text("ok"))
    let request = URLRequest(url: harness.server.url("/"))
    let session = harness.session
    let body: Data? = await withCheckedContinuation { continuation in
      session.resumeDataTask(with: request) { _, _, _ in
        let isDone = DispatchSemaphore(value: 0)
        session.resumeDataTask(with: request) { data, _, _ in
          continuation.resume(returning: data)
          isDone.signal()
        }
        isDone.wait()
      }
    }
    expectEqual(body, Data("ok".utf8))
  }

  @Test("facts 7, 12: a redirect is returned, not followed", arguments: TransportKind.own, [301, 302, 303, 307, 308])
  func redirectIsReturned(_ kind: TransportKind, _ status: Int) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(nil, "/", .text("elsewhere", status: status, headers: ["Location": "?q"]))
    let result = await harness.transfer(.put, headers: ["Authorization": "Bearer a"], body: .data(Data("b".utf8)))
    expectEqual(result.response?.statusCode, status)
    expectEqual(result.response?.headers["Location"], "?q")
    expectEqual(result.text, "elsewhere")
    expectEqual(harness.server.requestCount, 1)
  }

  @Test("fact 8: injected lines and fields are refused", arguments: TransportKind.allCases)
  func injectedLinesAndFieldsAreRefused(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    var requests: [TransportRequest] = []
    let url = harness.server.url("/")
    for text in ["a\r\nX-Evil: 1", "a\n", "a\0b", "a\rb"] {
      requests.append(TransportRequest(method: HTTPMethod(rawValue: text), url: url))
      requests.append(TransportRequest(url: url, headers: HTTPHeaders([.init(name: text, value: "1")])))
      requests.append(TransportRequest(url: url, headers: ["X-A": text]))
    }
    requests.append(TransportRequest(method: HTTPMethod(rawValue: "GET / HTTP/1.1"), url: url))
    requests += ["X A", ""].map { TransportRequest(url: url, headers: HTTPHeaders([.init(name: $0, value: "1")])) }
    for request in requests { expectEqual(await harness.transfer(request).error?.kind, .invalidRequest) }
    expectEqual(harness.server.connectionsAccepted, 0)
  }

  @Test("fact 9: a wrong length is never sent", arguments: TransportKind.allCases)
  func wrongLengthIsNeverSent(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(nil, "/", .text("ok"))
    let headers: HTTPHeaders = ["Content-Length": "999", "Transfer-Encoding": "chunked"]
    for body in [TransportBody.none, .data(Data()), .data(Data("abc".utf8)), .data(Data(count: 100_000))] {
      expectEqual(await harness.transfer(.post, headers: headers, body: body).text, "ok")
    }
    let lengths = harness.server.requests.map { $0.headers.values(for: "Content-Length") }
    expectEqual(lengths, [["0"], ["0"], ["3"], ["100000"]])
    #expect(harness.server.requests.allSatisfy { $0.headers["Transfer-Encoding"] == nil })
    #expect(harness.server.refusals.isEmpty)
  }

  @Test("fact 11: a path is sent unchanged; Foundation on Linux removes dot segments", arguments: TransportKind.own)
  func pathsAreSentUnchanged(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let paths = ["/a/../z", "/a/./b", "/a//b", "/%2e%2e/c", "/a;b=c?d=e+f&g='h'"]
    for path in paths {
      let url = try #require(URL(string: "http://127.0.0.1:\(harness.server.port)" + path))
      _ = await harness.transfer(TransportRequest(url: url))
    }
    let sent = kind.isFoundationOnLinux ? ["/z", "/a/b"] + paths.dropFirst(2) : paths
    expectEqual(harness.server.requests.map(\.target), sent)
  }

  @Test("fact 13: a stale connection sends nothing twice", arguments: TransportKind.own)
  func staleConnectionSendsNothingTwice(_ kind: TransportKind) async throws {
    let bodies: [(body: TransportBody, count: Int)] = [
      (.none, 0), (.data(Data("abc".utf8)), 3), (.data(Data(count: 200_000)), 200_000),
      (.stream(PieceStream(["a", "b"])), 2),
    ]
    for (body, count) in bodies {
      let harness = try SocketHarness(kind)
      harness.server.route(.get, "/", .text("ok").thenSwallowingNextRequest().then(.close))
      expectEqual(await harness.transfer("/").text, "ok")
      let result = await harness.transfer(.post, "/post", body: body)
      expectEqual(harness.server.requests(.post).count, 1)
      if kind.usesNewConnectionForPost {
        // A request that must not be sent twice never uses a kept connection.
        expectEqual(result.response?.statusCode, 404)
        expectEqual(harness.server.requests(.post).map(\.body.count), [count])
      } else {
        expectEqual(result.error?.kind, .connectionLost)
        expectEqual(result.error?.mayHaveReachedServer, true)
      }
    }
  }
}

extension URLSessionProtocol {
  func resumeDataTask(
    with request: URLRequest, completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) {
    dataTask(with: request, completionHandler: completion).resume()
  }
}

extension TransportKind {
  fileprivate var usesNewConnectionForPost: Bool {
    #if os(Linux)
      isFoundationOnLinux || CurlLibrary.isOld
    #else
      false
    #endif
  }
}
