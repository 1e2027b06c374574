@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5))) struct RecordingSessionTests {
  private static let mark = "Zq7Xw9Kv2Lm4Tn6"

  private func request(
    _ method: HTTPMethod = .get, _ url: String = "https://h/a", headers: HTTPHeaders = [:], body: TransportBody = .none
  ) throws -> TransportRequest {
    TransportRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
  }

  @Test func requestsAreForwardedAndRecordedInOrder() async throws {
    let clock = VirtualClock()
    let mock = MockURLSession(clock: clock)
    mock.script(.get, "/a", .json("\"\(Self.mark)\"", headers: ["X-Id": "7"]).delayed(by: 1))
    mock.script(.get, "/b", .data(Data([0xFF]), status: 404, headers: ["Content-Length": "9"]))
    mock.script(.get, "/c", .never)
    let session = RecordingSession(mock)
    async let first = session.send(try request(.get, "https://h/a"))
    await clock.waitForTimers(1)
    expectEqual(try await session.send(request(.get, "https://h/b")).get().statusCode, 404)
    let open = session.transferTask(with: try request(.get, "https://h/c", headers: ["api-token": Self.mark])) { _ in }
    open.resume()
    expectEqual(try session.cassette().exchanges.map(\.request.path), ["/b"])
    clock.advance(by: 1)
    expectEqual(try await first.get().body, Data("\"\(Self.mark)\"".utf8))
    let exchanges = try session.cassette().exchanges
    expectEqual(exchanges.map(\.request.path), ["/a", "/b"])
    expectEqual(exchanges.first?.response?.headers["X-Id"], "7")
    expectEqual(exchanges.last?.response?.headers["Content-Length"], "9")
    // A request that is still open has sent the token.
    expectEqual(exchanges.map(\.response?.body), [.text("\"<redacted>\""), .bytes(Data([0xFF]))])
    session.invalidateAndCancel()
    #expect(mock.isInvalidated)
    expectEqual(try await session.send(request()).error?.kind, .invalidated)
    await mock.waitUntilIdle()
    expectEqual(try session.cassette().exchanges.map(\.request.path), ["/a", "/b", "/c"])
  }

  /// Foundation ends the process if an invalidated session is asked for a task.
  @Test func requestAfterTheEndOfACassetteFails() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let session = try await Cassette.use(file, live: { URLSession(configuration: .webServices) }) { $0 }
    expectEqual(await session.send(try request()).error?.kind, .invalidated)
  }

  @Test func failureIsRecordedWithThePartOfItsResponse() async throws {
    let part = WebServiceResponse(statusCode: 200, url: testURL("https://h/a"), body: Data("par".utf8))
    let mock = MockURLSession { _ in
      .failure(TransportError(.truncated, message: "no \(Self.mark)", mayHaveReachedServer: true, response: part))
    }
    let session = RecordingSession(mock)
    _ = await session.send(try request(headers: ["api-token": Self.mark]))
    let exchange = try #require(try session.cassette().exchanges.first)
    expectEqual(exchange.response?.body, .text("par"))
    expectEqual(exchange.failure?.message, "no <redacted>")
  }

  /// The name of the field says nothing, but the signer does.
  @Test func fieldsOfASignerAreHiddenInAllResponses() async throws {
    let session = RecordingSession(MockURLSession { _ in .json(#"["\#(Self.mark)"]"#) })
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://h"))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    let signer = RequestSigner(named: "test", needsToken: false) { _, _ in ["X-Own": Self.mark] }
    for authorization in [WebServiceAuthorizationType.none, .custom(signer)] {
      _ = try await service.sendRequest(Request("a", authorization: authorization), as: [String].self)
    }
    let data = try session.cassette().data()
    expectEqual(data.range(of: Data(Self.mark.utf8)), nil)
  }

  @Test func whatIsNoSecretStaysAsItIs() async throws {
    let cookies = ["a=\(Self.mark); Path=/", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c"]
    let fields = cookies.map { HTTPHeaders.Field(name: "set-cookie", value: $0) }
    let link = "<https://h/?token=\(Self.mark)>; rel=\"next\", <https://h/?a=b>; rel=\"last\""
    let session = RecordingSession(
      MockURLSession { request in
        request.url?.path == "/zipped"
          ? .status(200, headers: ["Content-Encoding": "gzip"])
          : .json("[1]", headers: HTTPHeaders(fields + [.init(name: "Link", value: link)]))
      })
    for path in ["a", "zipped"] {
      _ = await session.send(try request(.get, "https://h/\(path)", headers: ["api-token": "1", "Cookie": "a=b"]))
    }
    let exchanges = try session.cassette().exchanges
    expectEqual(exchanges.map(\.response?.body), [.text("[1]"), .bytes(Data())])
    let headers = try #require(exchanges.first?.response?.headers)
    expectEqual(
      headers.values(for: "Set-Cookie"),
      ["a=<redacted>; Path=/", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "<redacted>"])
    expectEqual(
      headers["Link"], "<https://h/?token=%3Credacted%3E>; rel=\"next\", <https://h/?a=b>; rel=\"last\"")
    expectEqual(exchanges.first?.request.headers["Cookie"], "<redacted>")
  }

  @Test func secretsNeverReachTheFile() async throws {
    let mark = Self.mark
    let mock = MockURLSession()
    mock.script(
      .post, "/a",
      .json(
        #"{"token":"\#(mark)","echo":"you are \#(mark)","n":1}"#,
        headers: ["Set-Cookie": "sid=\(mark)", "X-Echo": mark, "Content-Length": "99"]))
    mock.script(
      .get, "/z", [.text("\u{1F}?", headers: ["Content-Encoding": "own"]), .data(Data([0x1F, 0x8B, 8]))])
    mock.script(.post, "/session", .json(#"{"access":"\#(mark)"}"#))
    let session = RecordingSession(mock)
    _ = await session.send(try request(.post, "https://h/session"))
    let multipart = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(mark)\r\n--b--"
    let bodies = [Data(#"{"password":"\#(mark)"}"#.utf8), Data("password=\(mark)".utf8), Data(multipart.utf8)]
    for body in bodies + [Data(multipart.utf8) + [0, 0xFF]] {
      let request = try request(
        .post, "https://me:\(mark)@h/a?token=\(mark)&q=1", headers: ["api-token": mark, "Cookie": "a=\(mark)"],
        body: .data(body))
      _ = await session.send(request)
    }
    let zipped = try request(
      .post, headers: ["Content-Encoding": "gzip", "Authorization": "Bearer \(mark)"], body: .data(Data(mark.utf8)))
    _ = await session.send(zipped)
    for _ in 0..<2 { _ = await session.send(try request(.get, "https://h/z")) }
    let cassette = try session.cassette()
    expectEqual(cassette.exchanges.count, 8)
    expectEqual(cassette.exchanges.first?.response?.body, .text(#"{"access":"<redacted>"}"#))
    expectEqual(cassette.exchanges[5].request.body, .omitted("compressed"))
    for exchange in cassette.exchanges.suffix(2) { expectEqual(exchange.response?.body, .omitted("compressed")) }
    let parts = try [cassette.data()] + cassette.exchanges.map(\.request.body.data)
    for part in parts { expectEqual(part.range(of: Data(mark.utf8)), nil) }
    let response = try #require(cassette.exchanges[1].response)
    let body = try #require(response.body.text)
    expectEqual(response.headers["Content-Length"], "\(body.utf8.count)")
    #expect(try JSONSerialization.jsonObject(with: Data(body.utf8)) is [String: Any])
  }

  @Test func tokenIsHiddenInTheResponseThatBroughtIt() async throws {
    let mock = MockURLSession { _ in .status(204) }
    mock.script(.post, "/session", .json(#"{"access":"\#(Self.mark)"}"#))
    let session = RecordingSession(mock)
    _ = await session.send(try request(.post, "https://h/session"))
    _ = await session.send(try request(headers: ["Authorization": "Bearer \(Self.mark)"]))
    expectEqual(try session.cassette().exchanges.first?.response?.body, .text(#"{"access":"<redacted>"}"#))
  }

  /// A name of a secret is there by chance. Hiding the bytes behind it would damage the content.
  @Test(arguments: ["image/png", "application/octet-stream", "application/pdf", "application/zip"])
  func binaryContentStaysAsItIs(type: String) async throws {
    for (start, end) in [("", Data([0])), (Self.mark, Data([0])), ("", Data())] {
      let mock = MockURLSession()
      let content = Data("\(start)//chance@\npin=chance ".utf8) + end
      mock.script(.get, "/a", .data(content, headers: ["Content-Type": type]))
      let session = RecordingSession(mock)
      _ = await session.send(try request(headers: ["Authorization": "Bearer \(Self.mark)"]))
      let recorded = try #require(try session.cassette().exchanges.first?.response?.body.data)
      let hidden = start.isEmpty ? content : Data("<redacted>//chance@\npin=chance ".utf8) + end
      expectEqual(recorded, end.isEmpty ? Data("//<redacted>@\npin=<redacted> ".utf8) : hidden)
    }
  }

  /// A stream may be left by its reader, break off, or be open when the recording ends.
  @Test(arguments: ["complete", "left", "broken", "open"])
  func streamIsReplayedAsFarAsItCame(end: String) async throws {
    let (held, receiver) = (HeldSession(), SlowReceiver(isLetGo: true))
    let recording = RecordingSession(held)
    var request = try request()
    request.receiver = receiver
    let task = recording.transferTask(with: request) { _ in }
    task.resume()
    let sent = try #require(held.open.first)
    if end == "complete" {
      sent.respond(206, body: "data")
    } else {
      sent.request.receiver?.didReceive(head: WebServiceResponse(statusCode: 206, url: request.url))
      for piece in ["da", "ta"] { sent.request.receiver?.didReceive(Data(piece.utf8)) {} }
    }
    if end == "left" { task.cancel() }
    if end == "broken" { sent.fail(.connectionLost) }
    expectEqual("\(receiver.status) \(String(decoding: receiver.content, as: UTF8.self))", "206 data")

    let replaying = ReplayingSession(try Cassette(data: recording.cassette().data()))
    let (again, ends) = (SlowReceiver(isLetGo: true), Collector<Result<WebServiceResponse, TransportError>>())
    request.receiver = again
    let replayed = replaying.transferTask(with: request, completion: ends.append)
    replayed.resume()
    await again.pieces.waitForElements(1)
    expectEqual("\(again.status) \(String(decoding: again.content, as: UTF8.self))", "206 data")
    // A stream that was left or open waits, until its reader leaves it again.
    if end == "left" || end == "open" {
      expectEqual(replaying.openTaskCount, 1)
      replayed.cancel()
    }
    let result = try #require(await ends.elements(1).first)
    let kinds: [String: TransportError.Kind] = ["left": .cancelled, "open": .cancelled, "broken": .connectionLost]
    expectEqual(result.failure?.kind, kinds[end])
    #expect(((try? result.get()) ?? result.failure?.response)?.body.isEmpty != false)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func secretsInWideTextAreHidden(encoding: String.Encoding) async throws {
    for (mark, cut) in [("", 0), ("\u{FEFF}", 0), ("", 1)] {
      let mock = MockURLSession()
      let json = try #require("\(mark){\"access_token\":\"\(Self.mark)\",\"ü\":1}".data(using: encoding))
      mock.script(.post, "/a", .data(json.dropLast(cut)))
      let session = RecordingSession(mock)
      let body = try #require("{\"password\":\"\(Self.mark)\"}".data(using: encoding))
      _ = await session.send(try request(.post, body: .data(body)))
      let exchange = try #require(try session.cassette().exchanges.first)
      let response = try #require(exchange.response)
      for body in [response.body.data, exchange.request.body.data] {
        let text = String(decoding: body.filter { $0 != 0 }, as: UTF8.self)
        #expect(text.contains("<redacted>") && !text.contains(Self.mark))
      }
      guard cut == 0 else { continue }
      let text = String(data: response.body.data, encoding: encoding)
      expectEqual(text, mark + #"{"access_token":"<redacted>","ü":1}"#)
    }
  }

  @Test func recordingSessionUnderALayerIsReleased() async throws {
    weak var released: RecordingSession?
    do {
      let mock = MockURLSession()
      mock.script(.get, "/a", .json("[1]"))
      let session = RecordingSession(mock)
      released = session
      let configuration = WebServiceConfiguration(baseURL: URL(string: "https://h"), layers: [.coalescing])
      let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
      expectEqual(try await service.sendRequest(Request("a"), as: [Int].self), [1])
      await mock.waitUntilIdle()
      expectEqual(try session.cassette().exchanges.count, 1)
    }
    while released != nil { await Task.yield() }
  }

  @Test func recordingBeyondTheLimitIsRefused() async throws {
    let mock = MockURLSession()
    mock.script(.get, "/a", .data(Data(repeating: 65, count: 5000)))
    let session = RecordingSession(mock, limit: 8000)
    _ = await session.send(try request())
    expectEqual(try session.cassette().exchanges.count, 1)
    for _ in 0..<3 { expectEqual(try await session.send(request()).get().body.count, 5000) }
    #expect(throws: CassetteError.tooLarge(limit: 8000)) { try session.cassette() }
  }

  @Test(arguments: ["response", "pieces", "body", "file", "requests"])
  func everythingCountsForTheLimit(what: String) async throws {
    let held = HeldSession()
    let session = RecordingSession(held, limit: 8000)
    let data = Data(repeating: 65, count: 9000)
    let file = try TemporaryFile(data)
    let bodies: [String: TransportBody] = ["body": .data(data), "file": .file(file.url)]
    for _ in 0..<(what == "requests" ? 8 : 1) {
      var request = try request(.post, body: bodies[what] ?? .none)
      if what == "pieces" { request.receiver = SlowReceiver(isLetGo: true) }
      session.transferTask(with: request) { _ in }.resume()
      let sent = try #require(held.open.last)
      if what == "pieces" {
        sent.request.receiver?.didReceive(head: WebServiceResponse(statusCode: 200, url: request.url))
        sent.request.receiver?.didReceive(data) {}
      } else {
        let body = what == "response" ? data : Data()
        sent.complete(with: .success(WebServiceResponse(statusCode: 200, url: request.url, body: body)))
      }
    }
    #expect(throws: CassetteError.tooLarge(limit: 8000)) { try session.cassette() }
  }

  @Test(arguments: [10_000, 10_001])
  func recordingHasAtMostTenThousandRequests(count: Int) throws {
    let session = RecordingSession(MockURLSession())
    for _ in 0..<count { _ = session.transferTask(with: try request()) { _ in } }
    expectEqual((try? session.cassette()) == nil, count > 10_000)
  }

  @Test func requestWithAnUnreadableFileIsRecordedAndReplayed() async throws {
    let session = RecordingSession(MockURLSession { _ in .unsent(.file, "no such file") })
    let upload = try request(.post, body: .file(URL(fileURLWithPath: "/none-\(UUID())/picture.jpg")))
    expectEqual(await session.send(upload).error?.kind, .file)
    let replay = ReplayingSession(try Cassette(data: session.cassette().data()))
    expectEqual(await replay.send(upload).error?.kind, .file)
    #expect(replay.remaining.isEmpty)
  }
}
