@testable import WebServicesTestSupport

@Suite struct MockURLSessionTests {
  private let session = MockURLSession()

  /// Sends a request, which reaches the session's `dataTask`.
  private func send(
    _ path: String, _ method: HTTPMethod = .get, over session: MockURLSession? = nil
  ) async throws -> Result<WebServiceResponse, TransportError> {
    await (session ?? self.session).send(
      TransportRequest(method: method, url: try #require(URL(string: "https://h\(path)"))))
  }

  @Test func responsesAreChosenByMethodAndPathInOrder() async throws {
    session.script(.get, "/a", .json("1", headers: ["X-Id": "7"]))
    session.script(.get, "/a", .json("2", status: 201))
    session.script(.post, "/a", .status(204))
    let first = try await send("/a?x=1").get()
    expectEqual([first.headers["X-Id"], first.headers["Content-Type"]], ["7", "application/json"])
    expectEqual("\(first.statusCode) \(String(decoding: first.body, as: UTF8.self))", "200 1")
    for _ in 0..<2 {
      let next = try await send("/a")
      expectEqual(next.text, "2")
      expectEqual(next.response?.statusCode, 201)
    }
    expectEqual(try await send("/a", .post).response?.statusCode, 204)
    expectEqual(session.requests.map(\.httpMethod), ["GET", "GET", "GET", "POST"])
    expectEqual(session.openTaskCount, 0)
  }

  @Test func responsesWithoutABodyInHTTPHaveNone() async throws {
    for status in [204, 304] { session.script(.get, "/\(status)", .json("1", status: status)) }
    session.script(.head, "/a", .json("1"))
    for (path, method) in [("/204", HTTPMethod.get), ("/304", .get), ("/a", .head)] {
      let response = try await send(path, method).get()
      #expect(response.body.isEmpty && response.headers["Content-Type"] == "application/json")
      var request = URLRequest(url: response.url)
      request.httpMethod = method.rawValue
      let body = await withCheckedContinuation { [request] continuation in
        session.dataTask(with: request) { data, _, _ in continuation.resume(returning: data) }.resume()
      }
      expectEqual(body, Data())
    }
  }

  @Test func headerFieldsArriveAsTheyAreScripted() async throws {
    let headers: HTTPHeaders = ["Link": "<a>", "link": "<b>", "Content-Encoding": "gzip", "Content-Length": "9"]
    session.script(.get, "/a", .data(Data("zipped".utf8), headers: headers))
    session.script(.get, "/b", .status(200, headers: HTTPHeaders((0...1000).map { .init(name: "X", value: "\($0)") })))
    session.script(.get, "/c", [.notHTTP, .status(99), .status(1000)])
    expectEqual(try await send("/a").get().headers, headers)
    expectEqual(try await send("/b").error?.kind, .tooLarge)
    for _ in 0..<3 { expectEqual(try await send("/c").error?.kind, .notHTTPResponse) }
  }

  @Test func pathsAreComparedBySegments() async throws {
    for path in ["/items", "/items/", "/a/b", "/a%2Fb", "/", "/é x"] { session.script(.get, path, .json(path)) }
    let paths: KeyValuePairs<String, String?> = [
      "/items": "/items", "/items/": "/items/", "/items?a/": "/items", "/a/b": "/a/b", "/a%2fb": "/a%2Fb",
      "/%61/b": "/a/b", "": "/", "/": "/", "/%C3%A9%20x": "/é x", "/items//": nil, "/a%252Fb": nil,
    ]
    for (path, body) in paths { expectEqual(try await send(path).text, body) }
    let message = try await send("/b%2Fc%25").error?.message
    #expect(message?.contains("GET /b%2Fc%25; scripted: GET /, GET /a%2Fb, GET /a/b, GET /items,") == true)
  }

  @Test func closuresMakeResponses() async throws {
    let session = MockURLSession { .json("\"\($0.url?.path ?? "")\"", status: 201) }
    session.script(.get, "/a") { .json("\"\($0.url?.query ?? "")\"") }
    session.script(.get, "/a", .status(404))
    expectEqual(try await send("/a?x=1", over: session).text, "\"x=1\"")
    expectEqual(try await send("/a?x=2", over: session).response?.statusCode, 404)
    let other = try await send("/b", .post, over: session)
    #expect(other.text == "\"/b\"" && other.response?.statusCode == 201)
  }

  @Test func scriptRepeatsAsManyResponsesAsItSays() async throws {
    session.script(.get, "/a", [.status(503), .json("1")], repeatingLast: 2)
    session.script(.get, "/b", [.text("b")], repeatingLast: 0)
    for expected in [503, 200, 503, 200, 503] { expectEqual(try await send("/a").response?.statusCode, expected) }
    // A later script comes next, also after responses that repeated.
    session.script(.get, "/a", [.redirect(to: "/c"), .status(410)])
    expectEqual(try await send("/a").response?.headers["Location"], "/c")
    for _ in 0..<2 { expectEqual(try await send("/a").response?.statusCode, 410) }
    expectEqual(try await send("/b").text, "b")
    #expect(try await send("/b").error?.message.contains("nothing is scripted any more for GET /b") == true)
  }

  @Test func progressIsReportedBeforeTheCompletion() async throws {
    session.script(.post, "/a", .data(Data(count: 7)))
    let progress = Collector<TransportRequest.Progress>()
    let url = try #require(URL(string: "https://h/a"))
    var request = TransportRequest(method: .post, url: url, body: .data(Data(count: 3)))
    request.onProgress = progress.append
    _ = await session.send(request)
    let expected = TransportRequest.Progress(sent: 3, expectedToSend: 3, received: 7, expectedToReceive: 7)
    expectEqual(progress.elements, [expected])
  }

  /// A body may wait for the thread that sends the request.
  @Test func bodyIsReadAfterTheCall() async throws {
    session.script(.post, "/a", .status(204))
    let (mayGoOn, wasInTime) = (DispatchSemaphore(value: 0), Locked(false))
    let stream = PieceStream(["ab"]) { index in
      if index == 0 { wasInTime.withLock { $0 = mayGoOn.wait(timeout: .now() + 2) == .success } }
    }
    let ends = Collector<Result<WebServiceResponse, TransportError>>()
    for (index, stream) in [stream, PieceStream([]) { _ in throw URLError(.unknown) }].enumerated() {
      let request = TransportRequest(
        method: .post, url: try #require(URL(string: "https://h/a")), body: .stream(stream))
      session.transferTask(with: request, completion: ends.append).resume()
      mayGoOn.signal()
      await ends.waitForElements(index + 1)
    }
    #expect(wasInTime.withLock { $0 })
    expectEqual(ends.elements.map(\.failure?.kind), [nil, .file])
    expectEqual(session.requests.map(\.httpBody), [Data("ab".utf8)])
    expectEqual([stream.opened.count, stream.closed.count], [1, 1])
  }

  @Test func delayUsesTheGivenClock() async throws {
    let clock = VirtualClock()
    let session = MockURLSession(clock: clock)
    session.script(.get, "/a", .json("1").delayed(by: 2))
    async let body = send("/a", over: session).text
    await clock.waitForTimers(1)
    clock.advance(by: 1.999)
    expectEqual(session.openTaskCount, 1)
    clock.advance(by: 0.001)
    expectEqual(try await body, "1")
    expectEqual(session.openTaskCount, 0)
  }

  @Test func cancelEndsTaskOnceAndRemovesItsTimer() async throws {
    let clock = VirtualClock()
    let session = MockURLSession(clock: clock)
    session.script(.get, "/a", .json("1").delayed(by: 2))
    let request = URLRequest(url: try #require(URL(string: "https://h/a")))
    let (tasks, ended) = (Collector<any URLSessionTaskProtocol>(), DispatchSemaphore(value: 0))
    session.script(.get, "/cancelled") { _ in
      tasks.elements.last?.cancel()
      _ = ended.wait(timeout: .now() + 30)
      return .json("1").delayed(by: 2)
    }
    for resumed in [false, true] {
      let error: (any Error)? = await withCheckedContinuation { continuation in
        let task = session.dataTask(with: request) { _, _, error in continuation.resume(returning: error) }
        tasks.append(task)
        if resumed { for _ in 0..<2 { task.resume() } }
        task.cancel()
        task.cancel()
        task.resume()
      }
      expectEqual((error as? URLError)?.code, .cancelled)
    }
    await session.waitUntilIdle()
    for task in tasks.elements { task.resume() }
    expectEqual([session.requests.count, session.openTaskCount, clock.pendingTimerCount], [1, 0, 0])
    tasks.append(session.dataTask(with: URLRequest(url: testURL("https://h/cancelled"))) { _, _, _ in ended.signal() })
    tasks.elements.last?.resume()
    await session.waitUntilIdle()
    expectEqual([session.openTaskCount, clock.pendingTimerCount], [0, 0])
  }

  @Test func invalidationEndsEveryTask() async throws {
    let clock = VirtualClock()
    let session = MockURLSession(clock: clock)
    session.script(.get, "/a", .never)
    async let pending = send("/a", over: session).error
    async let idle: Void = session.waitUntilIdle()
    async let invalidated: Void = session.waitUntilInvalidated()
    await session.waitForRequests(1)
    expectEqual([session.openTaskCount, clock.pendingTimerCount], [1, 0])
    #expect(!session.isInvalidated)
    session.invalidateAndCancel()
    _ = await (idle, invalidated)
    #expect(session.isInvalidated)
    expectEqual(try await pending?.kind, .cancelled)
    expectEqual(try await send("/a", over: session).error?.kind, .invalidated)
    expectEqual(session.openTaskCount, 0)
  }

  @Test func sessionWithoutScriptsSaysSo() async throws {
    expectEqual(try await send("/a").error?.message, "nothing is scripted for GET /a; scripted: nothing")
  }
}
