@testable import WebServicesTestSupport

/// A service around a service keeps what the inner service promises.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct ForwardingServiceTests {
  /// Forwards the one method that a service has to have, and reads the response beside the value.
  private final class Forwarder: JsonWebServiceable {
    private let next: any JsonWebServiceable
    /// Sends in a Swift task, as a service does that waits for something before.
    private let waits: Bool
    private let log: @Sendable (String) -> Void

    init(_ next: any JsonWebServiceable, waits: Bool, log: @escaping @Sendable (String) -> Void) {
      (self.next, self.waits, self.log) = (next, waits, log)
    }

    func sendRequest<Value: Sendable>(
      _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
      completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
    ) -> WebServiceTask {
      log("\(Request(requestData))")
      guard waits else {
        return next.sendRequest(requestData, parser: parser.withResponse, callbackQueue: callbackQueue) { result in
          completion(result.map(\.value))
        }
      }
      let task = Task { [next] in
        let result: Result<Value, WebServiceError>
        do throws(WebServiceError) {
          result = .success(try await next.sendRequest(requestData, parser: parser))
        } catch {
          result = .failure(error)
        }
        callbackQueue.async { completion(result) }
      }
      return WebServiceTask { task.cancel() }
    }
  }

  /// Refuses each response.
  private final class RefusingService: JsonWebServiceable {
    private let next: JsonWebService

    init(next: JsonWebService) { self.next = next }

    func sendRequest<Value: Sendable>(
      _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
      completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
    ) -> WebServiceTask {
      let refusing = parser.map { _ -> Value in throw CancellationError() }
      return next.sendRequest(requestData, parser: refusing, callbackQueue: callbackQueue, completion: completion)
    }
  }

  /// How a wrapper forwards: with both methods, with one, or with one that calls the other.
  enum Form: CaseIterable {
    case both
    case one
    case waiting
  }

  private let log = Collector<String>()

  private func wrapper(_ form: Form, around service: JsonWebService) -> any JsonWebServiceable {
    let note: @Sendable (String) -> Void = { [log] in log.append($0) }
    return switch form {
    case .both: LoggedService(service, log: note)
    case .one: Forwarder(service, waits: false, log: note)
    case .waiting: Forwarder(service, waits: true, log: note)
    }
  }

  @Test(arguments: Form.allCases)
  func linkOfARedirectedFirstPageGetsNoToken(_ form: Form) async throws {
    let harness = VirtualHarness.scripted { $0.baseURL = URL(string: "https://api.example.com/v1") }
    harness.session.script(.get, "/v1/items", .status(302, headers: ["Location": "https://evil.example/items"]))
    harness.session.script(.get, "/items", .json("[1]", headers: ["Link": #"</items?2>; rel="next""#]))
    var pages = wrapper(form, around: harness.service).pages(
      of: Request("items", authorization: .bearer), as: [Int].self
    ).makeAsyncIterator()
    expectEqual(try await pages.next(), [1])
    let error = await thrown { try await pages.next() }
    expectEqual(error?.underlying(as: PagingError.self), .otherOrigin)
    expectEqual(harness.session.requests.map { $0.value(forHTTPHeaderField: "Authorization") != nil }, [true, false])
    expectEqual(log.elements, ["GET items"])
  }

  @Test(arguments: Form.allCases)
  func pagesUseTheEncoderOfTheService(_ form: Form) async throws {
    let harness = VirtualHarness.scripted(.json("1")) { $0.queryEncoder = QueryEncoder(arrays: .brackets) }
    let request = Request("https://api.example.com/cities", query: ["tag": ["a", "b"]])
    let pages = wrapper(form, around: harness.service).pages(
      of: request, as: Int.self, by: .query("page", from: 1) { $1 < 2 ? $1 + 1 : nil })
    expectEqual(try await pages.collect(), [1, 1])
    expectEqual(
      harness.session.requests.map { $0.url?.query }, ["tag%5B%5D=a&tag%5B%5D=b", "tag%5B%5D=a&tag%5B%5D=b&page=2"])
  }

  @Test(arguments: Form.allCases)
  func streamIsReadWhileItComes(_ form: Form) async throws {
    // A busy machine may need long until the last stream has begun, and the first one is idle meanwhile.
    let harness = try SocketHarness(TransportKind.own[0]) { $0.timeout = 600 }
    let gate = LoopbackServer.Gate()
    harness.server.route(
      .get, "/events",
      [
        .head(status: 200, headers: ["Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"]),
        .chunk(Data("data: a\n\n".utf8)), .wait(gate), .chunk(Data("data: b\n\n".utf8)), .lastChunk(),
      ])
    let service = wrapper(form, around: harness.service)
    var events = service.serverSentEvents(Request("events"), reconnecting: .none).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    var lines = try await service.stream(Request("events"), as: .lines).makeAsyncIterator()
    expectEqual(try await lines.next(), "data: a")
    let called = Collector<String>()
    service.stream(Request("events"), as: .lines, callbackQueue: .global()) { line in
      called.append(line)
    } completion: { result in
      called.append(result.failure.map { "\($0.kind)" } ?? "end")
    }
    await called.waitForElements(1)
    gate.open()
    expectEqual(try await events.next()?.data, "b")
    while try await lines.next() != nil {}
    expectEqual(await called.elements(5), ["data: a", "", "data: b", "", "end"])
    expectEqual(try await events.next(), nil)
    expectEqual(log.elements, ["GET events", "GET events", "GET events"])
  }

  /// A service may refuse a stream by a parser of its own, and a server repeat the token.
  @Test func refusalOfAConvertedStreamHidesTheToken() async {
    let harness = VirtualHarness.scripted(.text("", headers: ["X-Echo": "mytoken1"]))
    let lines = Collector<String>()
    RefusingService(next: harness.service).stream(
      Request("https://api.example.com/cities", authorization: .bearer("mytoken1")), as: .lines,
      callbackQueue: .global()
    ) {
      lines.append($0)
    } completion: {
      lines.append($0.failure.map { "\($0)" } ?? "end")
    }
    let error = await lines.elements(1).first
    #expect(error?.contains("X-Echo: <redacted>") == true, "\(error ?? "")")
  }

  /// The task of the third form has ended when the head has come.
  @Test(arguments: [Form.both, .one])
  func cancelEndsAStreamAtAnyTime(_ form: Form) async throws {
    let harness = try SocketHarness(TransportKind.own[0])
    let gate = LoopbackServer.Gate()
    let head = LoopbackServer.Step.head(status: 200, headers: ["Transfer-Encoding": "chunked"])
    harness.server.route(.get, "/lines", [head, .chunk(Data("a\n".utf8)), .wait(gate), .lastChunk()])
    harness.server.route(.get, "/never", .never)
    let service = wrapper(form, around: harness.service)
    for path in ["never", "lines"] {
      let called = Collector<String>()
      let task = service.stream(Request(path), as: .lines, callbackQueue: .global()) { line in
        called.append(line)
      } completion: { result in
        called.append(result.failure.map { "\($0.kind)" } ?? "end")
      }
      if path == "lines" { await called.waitForElements(1) } else { await harness.server.waitForRequests() }
      task.cancel()
      await called.waitForElement { $0 == "cancelled" }
      expectEqual(called.elements, path == "lines" ? ["a", "cancelled"] : ["cancelled"])
    }
    gate.open()
  }

  @Test(arguments: Form.allCases)
  func brokenDownloadIsResumed(_ form: Form) async throws {
    let harness = try SocketHarness(TransportKind.own[0]) { $0.retry.backoff = RetryPolicy.Backoff(base: 0) }
    let data = Data(repeating: 7, count: 1000)
    harness.server.script(
      .get, "/file",
      [
        [.head(status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "1000"]), .body(data.prefix(500)), .close],
        .data(data.dropFirst(500), status: 206, headers: ["Content-Range": "bytes 500-999/1000"]),
      ])
    let service = wrapper(form, around: harness.service)
    #expect(try await service.download(Request("file"), to: harness.target).isSuccessful)
    expectEqual(harness.content, data)
    expectEqual(harness.server.requests.map { $0.headers["Range"] }, [nil, "bytes=500-"])
    expectEqual(log.elements, ["GET file"])
  }
}
