@testable import WebServicesTestSupport

@Suite struct MockURLSessionTests {
  private struct Received: Sendable {
    var body: String
    var status: Int?
    var headers: [String: String]
    var error: (any Error)?
  }

  private func request(_ text: String, method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: text)))
    request.httpMethod = method
    return request
  }

  private func response(of session: MockURLSession, to request: URLRequest) async -> Received {
    await withCheckedContinuation { continuation in
      session.dataTask(with: request) { data, response, error in
        let response = response as? HTTPURLResponse
        let fields = response?.allHeaderFields.compactMap { key, value in
          (key as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        continuation.resume(
          returning: Received(
            body: String(decoding: data ?? Data(), as: UTF8.self), status: response?.statusCode,
            headers: Dictionary(fields ?? [], uniquingKeysWith: { $1 }), error: error))
      }.resume()
    }
  }

  @Test func responsesAreChosenByMethodAndPathInOrder() async throws {
    let session = MockURLSession()
    session.script(.get, "/a", .json("1", headers: ["X-Id": "7"]))
    session.script(.get, "/a", .json("2", status: 201))
    session.script(.post, "/a", .status(204))
    let first = await response(of: session, to: try request("https://h/a?x=1"))
    expectEqual(first.body, "1")
    expectEqual(first.status, 200)
    expectEqual(first.headers["X-Id"], "7")
    expectEqual(first.headers["Content-Type"], "application/json")
    for _ in 0..<2 {
      let next = await response(of: session, to: try request("https://h/a"))
      expectEqual(next.body, "2")
      expectEqual(next.status, 201)
    }
    expectEqual(await response(of: session, to: try request("https://h/a", method: "POST")).status, 204)
    expectEqual(session.requests.map(\.httpMethod), ["GET", "GET", "GET", "POST"])
    expectEqual(session.openTaskCount, 0)
  }

  @Test func pathsAreComparedBySegments() async throws {
    let session = MockURLSession()
    for path in ["/items", "/items/", "/a/b", "/a%2Fb", "/", "/é x"] { session.script(.get, path, .json(path)) }
    let paths = [
      "/items", "/items/", "/items?a/", "/a/b", "/a%2fb", "/%61/b", "", "/", "/%C3%A9%20x", "/items//", "/a%252Fb",
    ]
    let expected = ["/items", "/items/", "/items", "/a/b", "/a%2Fb", "/a/b", "/", "/", "/é x", "", ""]
    for (path, body) in zip(paths, expected) {
      expectEqual(await response(of: session, to: try request("https://h\(path)")).body, body)
    }
    let error = await response(of: session, to: try request("https://h/b%2Fc%25")).error as? TransportError
    #expect(error?.message.contains("GET /b%2Fc%25; scripted: GET /, GET /a%2Fb, GET /a/b, GET /items,") == true)
  }

  @Test func closuresMakeResponses() async throws {
    let session = MockURLSession { .json("\"\($0.url?.path ?? "")\"", status: 201) }
    session.script(.get, "/a") { .json("\"\($0.url?.query ?? "")\"") }
    session.script(.get, "/a", .status(404))
    expectEqual(await response(of: session, to: try request("https://h/a?x=1")).body, "\"x=1\"")
    expectEqual(await response(of: session, to: try request("https://h/a?x=2")).status, 404)
    let other = await response(of: session, to: try request("https://h/b", method: "POST"))
    #expect(other.body == "\"/b\"" && other.status == 201)
    session.invalidateAndCancel()
    #expect(await response(of: session, to: try request("https://h/b")).error is TransportError)
  }

  @Test func scriptRepeatsAsManyResponsesAsItSays() async throws {
    let session = MockURLSession()
    session.script(.get, "/a", [.status(503), .json("1")], repeatingLast: 2)
    session.script(.get, "/b", [.text("b")], repeatingLast: 0)
    for expected in [503, 200, 503, 200, 503] {
      expectEqual(await response(of: session, to: try request("https://h/a")).status, expected)
    }
    // A later script comes next, also after responses that repeated.
    session.script(.get, "/a", .redirect(to: "/c"))
    expectEqual(await response(of: session, to: try request("https://h/a")).headers["Location"], "/c")
    expectEqual(await response(of: session, to: try request("https://h/b")).body, "b")
    let error = await response(of: session, to: try request("https://h/b")).error as? TransportError
    #expect(error?.message.contains("nothing is scripted any more for GET /b") == true)
  }

  @Test func progressIsReportedBeforeTheCompletion() async throws {
    let session = MockURLSession()
    session.script(.post, "/a", .data(Data(count: 7)))
    let progress = Locked<[TransportRequest.Progress]>([])
    let url = try #require(URL(string: "https://h/a"))
    var request = TransportRequest(method: .post, url: url, body: .data(Data(count: 3)))
    request.onProgress = { value in progress.withLock { $0.append(value) } }
    _ = await session.send(request)
    let expected = TransportRequest.Progress(sent: 3, expectedToSend: 3, received: 7, expectedToReceive: 7)
    expectEqual(progress.withLock { $0 }, [expected])
  }

  @Test func delayUsesTheGivenClock() async throws {
    let clock = VirtualClock()
    let session = MockURLSession(clock: clock)
    session.script(.get, "/a", .json("1").delayed(by: 2))
    async let body = response(of: session, to: try request("https://h/a")).body
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
    for resumed in [false, true] {
      let error: (any Error)? = await withCheckedContinuation { continuation in
        guard let request = try? request("https://h/a") else { return continuation.resume(returning: nil) }
        let task = session.dataTask(with: request) { _, _, error in continuation.resume(returning: error) }
        if resumed { task.resume() }
        task.cancel()
        task.cancel()
        task.resume()
      }
      expectEqual((error as? URLError)?.code, .cancelled)
    }
    clock.advance(by: 10)
    expectEqual(session.requests.count, 1)
    expectEqual(session.openTaskCount, 0)
    expectEqual(clock.pendingTimerCount, 0)
  }

  @Test func invalidationEndsEveryTask() async throws {
    let session = MockURLSession()
    session.script(.get, "/a", .never)
    async let pending = response(of: session, to: try request("https://h/a")).error
    await session.waitForRequests(1)
    session.invalidateAndCancel()
    expectEqual((try await pending as? URLError)?.code, .cancelled)
    let late = await response(of: session, to: try request("https://h/a")).error
    expectEqual((late as? TransportError)?.kind, .invalidated)
    expectEqual(session.openTaskCount, 0)
  }
}
