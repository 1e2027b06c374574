@testable import WebServicesTestSupport

/// Where a note was decoded, and what a test does meanwhile.
private struct Decoding: Sendable {
  static let key = CodingUserInfoKey(rawValue: "meanwhile")
  /// On Linux, the main queue of a test process doesn't run on the main thread.
  static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()
  var text: String
  var isOnMainQueue: Bool

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    text = try container.decode(String.self, forKey: .text)
    isOnMainQueue = DispatchQueue.getSpecific(key: Self.mark) != nil
    let meanwhile = Self.key.flatMap { decoder.userInfo[$0] as? @Sendable () -> Void }
    meanwhile?()
  }

  private enum JSONKey: String, CodingKey { case text }
}

/// A user's fake, which needs only one method.
private final class FakeWebService: JsonWebServiceable {
  private let json: String

  init(json: String) { self.json = json }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    callbackQueue.async { [json] in completion(parser.result(ofJSON: json)) }
    return WebServiceTask()
  }
}

/// A model as the compiler sees it in a module whose default isolation is the main actor.
@MainActor
private struct MainNote: @MainActor Decodable {
  let decoding: Decoding

  init(from decoder: any Decoder) throws { decoding = try Decoding(from: decoder) }
}

/// A model of any other module.
private struct PlainNote: Decodable, Sendable {
  let decoding: Decoding

  init(from decoder: any Decoder) throws { decoding = try Decoding(from: decoder) }
}

/// A value of the main actor that is sent. It notes where it is encoded.
@MainActor
private struct MainDraft: @MainActor Encodable {
  let encodings = Collector<Bool>()
  var weight = 1.5

  func encode(to encoder: any Encoder) throws {
    encodings.append(DispatchQueue.getSpecific(key: Decoding.mark) != nil)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(weight, forKey: .weight)
    try container.encode(Date(timeIntervalSince1970: 0), forKey: .date)
  }

  private enum Key: String, CodingKey { case weight, date }
}

/// Another actor than the main one.
private actor Store {
  func note(through service: JsonWebService) async throws -> MainNote {
    try await service.sendRequest(TestRequest(), as: MainNote.self)
  }

  func send(_ request: Request, through service: JsonWebService) async throws {
    try await service.sendRequest(request, parser: .nothing)
  }
}

/// Models whose conformance to `Decodable` is isolated to the main actor.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
@MainActor
struct MainActorModelTests {
  private let json = #"{"text": "a"}"#

  /// The result of the form with a completion on the main queue.
  private func completed(
    _ request: TestRequest = TestRequest(), by service: any JsonWebServiceable
  ) async -> WebServiceResult<MainNote> {
    await withCheckedContinuation { continuation in
      service.sendRequest(request) { (result: WebServiceResult<MainNote>) in
        MainActor.assertIsolated()
        continuation.resume(returning: result)
      }
    }
  }

  @Test func modelIsDecodedOnTheMainActor() async throws {
    let harness = VirtualHarness.scripted(.json(json))
    let service = harness.service
    let completed = await completed(by: service)
    let awaited = try await service.sendRequest(TestRequest(), as: MainNote.self)
    let parser = ResponseParser.json(MainNote.self).optional(on: 404)
    let parsed = try await service.sendRequest(TestRequest(), parser: parser)
    let stored = try await Store().note(through: service)
    let onQueue = await withCheckedContinuation { continuation in
      service.sendRequest(TestRequest(), parser: .json(MainNote.self), callbackQueue: harness.queue) { result in
        dispatchPrecondition(condition: .onQueue(harness.queue))
        continuation.resume(returning: result)
      }
    }
    let fake: any JsonWebServiceable = FakeWebService(json: json)
    let notes = [
      completed.model, awaited, parsed, stored, try onQueue.get(), await self.completed(by: fake).model,
      try await fake.sendRequest(TestRequest(), as: MainNote.self),
    ]
    expectEqual(notes.map { $0?.decoding.text }, Array(repeating: "a", count: 7))
    expectEqual(notes.map { $0?.decoding.isOnMainQueue }, Array(repeating: true, count: 7))
  }

  @MainActor
  @Test func ownDecoderReadsAModelOfTheMainActor() throws {
    let own = JSONDecoder()
    own.keyDecodingStrategy = .custom { _ in JSONKey(stringValue: "text") }
    let response = WebServiceResponse(statusCode: 200, url: testURL("https://h/"), body: Data(#"{"x":"a"}"#.utf8))
    expectEqual(try ResponseParser.json(MainNote.self, decoder: own).parse(response).decoding.text, "a")
  }

  @Test func otherModelIsDecodedAwayFromTheMainActor() async throws {
    let service = VirtualHarness.scripted(.json(json)).service
    let completed: WebServiceResult<PlainNote> = await withCheckedContinuation { continuation in
      service.sendRequest(TestRequest()) { continuation.resume(returning: $0) }
    }
    let awaited = try await service.sendRequest(TestRequest(), as: PlainNote.self)
    let parsed = try await service.sendRequest(TestRequest(), parser: .json(PlainNote.self))
    expectEqual([completed.model, awaited, parsed].map { $0?.decoding.isOnMainQueue }, [false, false, false])
  }

  @Test func failureHasTheKindOfAnyOtherModel() async throws {
    let harness = VirtualHarness.scripted(.json(#"{"text": 1}"#), .status(204), .status(204), .json("", status: 404))
    let undecodable = await completed(by: harness.service).error
    #expect(undecodable?.kind == .undecodableBody && undecodable?.decodingFailure?.codingPath == "text")
    let empty = await completed(by: harness.service)
    #expect(empty.error == nil && empty.model == nil)
    #expect(try await harness.service.sendRequest(TestRequest(), as: MainNote?.self) == nil)
    let missing = await thrown { try await harness.service.sendRequest(TestRequest(), as: MainNote.self) }
    expectEqual(missing?.kind, .statusCode(404))
  }

  @Test func signOutOrCancelDuringDecodingLeavesNoSuccess() async throws {
    let tokens = BasicAuthManager(clock: VirtualClock())
    let service = VirtualHarness.scripted(.json(json), tokenManager: tokens).service
    /// A request with a token, whose model runs an action while it is decoded.
    func request(meanwhile: @escaping @Sendable () -> Void) -> TestRequest {
      tokens.update(apiToken: "token", secondsRemaining: 10_000)
      let decoder = JSONDecoder()
      if let key = Decoding.key { decoder.userInfo[key] = meanwhile }
      return TestRequest(authorization: .bearer, options: RequestOptions { $0.decoder = decoder })
    }
    let signingOut = { @Sendable () -> Void in tokens.clear() }
    expectEqual(await completed(request(meanwhile: signingOut), by: service).error?.kind, .cancelled)
    let awaited = request(meanwhile: signingOut)
    expectEqual(await thrown { try await service.sendRequest(awaited, as: MainNote.self) }?.kind, .cancelled)
    let task = Locked<WebServiceTask?>(nil)
    let kinds = Collector<WebServiceError.Kind?>()
    let sent = service.sendRequest(request { task.withLock { $0 }?.cancel() }) {
      (result: WebServiceResult<MainNote>) in
      kinds.append(result.error?.kind)
    }
    task.withLock { $0 = sent }
    expectEqual(await kinds.elements(1), [.cancelled])
  }

  // MARK: Values that are sent

  /// A service whose encoder writes dates in a format of its own, and whose responses are redirects.
  private func sendingHarness() -> VirtualHarness<MockURLSession> {
    let harness = VirtualHarness.scripted {
      $0.baseURL = URL(string: "https://api.example.com")
      $0.encoder.dateEncodingStrategy = .iso8601
    }
    harness.session.script(.post, "/drafts", .status(307, headers: ["Location": "/moved"]))
    harness.session.script(.post, "/moved", .status(204))
    return harness
  }

  @Test func draftIsEncodedOnceOnTheMainActor() async throws {
    let drafts = (0..<5).map { _ in MainDraft() }
    let requests = [
      Request("drafts", .post, body: drafts[0]), Request("drafts", .post, body: .json(drafts[1])),
      Request("drafts", .post, body: .form(drafts[2])), Request("drafts", .post, query: drafts[3]),
    ]
    let harness = sendingHarness()
    for request in requests.dropFirst() { try await harness.service.sendRequest(request, parser: .nothing) }
    await withCheckedContinuation { continuation in
      harness.service.sendRequest(requests[0], parser: .nothing) { _ in continuation.resume() }
      expectEqual(drafts[0].encodings.elements, [true])
    }
    try await Store().send(Request("drafts", .post, body: drafts[4]), through: harness.service)
    expectEqual(drafts.map(\.encodings.elements), Array(repeating: [true], count: 5))
    let sent = harness.session.requests.filter { $0.url?.path == "/moved" }
    let bodies = sent.map { String(decoding: $0.httpBody ?? Data(), as: UTF8.self).split(separator: ",").count }
    expectEqual(bodies, [2, 1, 0, 2, 2])
    let value: JSONValue = ["date": "1970-01-01T00:00:00Z", "weight": 1.5]
    expectEqual(try JSONDecoder().decode(JSONValue.self, from: sent[0].httpBody ?? Data()), value)
    expectEqual(harness.session.requests[4].url?.query, "date=1970-01-01T00%3A00%3A00Z&weight=1.5")
  }

  @Test func draftThatCannotBeEncodedIsAnInvalidRequest() async {
    let request = Request("drafts", .post, body: MainDraft(weight: .nan))
    let error = await thrown { try await sendingHarness().service.sendRequest(request, parser: .nothing) }
    expectEqual(error?.kind, .invalidRequest)
    expectEqual(error?.message, "the body can't be encoded, at weight")
  }
}
