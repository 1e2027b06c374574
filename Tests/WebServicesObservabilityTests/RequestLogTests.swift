@testable import WebServicesTestSupport
@testable import WebServicesObservability

@Suite(.leavesNothing) struct RequestLogTests {
  private func event(_ kind: RequestEvent.Kind, url: String = "https://h/p?token=abc") -> RequestEvent {
    RequestEvent(
      requestID: 7, attempt: 2, transfer: 3, time: 11.25, start: 10, method: .put, url: RequestEvent.RedactedURL(url),
      kind: kind)
  }

  private static let kinds: [RequestEvent.Kind] = [
    .described, .waiting(.connectivity), .waiting(.limit), .waiting(.breaker), .waiting(.token), .waiting(.retryDelay),
    .authorized, .sent, .redirected(to: RequestEvent.RedactedURL("https://x/?token=abc")),
    .retried(after: 0.5, cause: .status(503)),
    .retried(after: .infinity, cause: .unauthorized), .retried(after: 1, cause: .transport(.connectionLost)),
    .received(status: 200, bytes: 976, metrics: WebServiceResponse.Metrics(connect: 0.001, total: .nan)),
    .received(status: 200, bytes: 976, metrics: nil), .decoded, .delivered(.success), .delivered(.cancelled),
    .cached(.hit), .cached(.stale), .cached(.revalidated), .coalesced,
    .sessionChosen("CurlSession on libcurl 8.5.0", isFallback: false),
    .sessionChosen("FoundationSession: libcurl.so.4 was not found", isFallback: true),
    // Last, because the record of a delivery waits for the entries before it.
    .delivered(.failure(WebServiceError(.timedOut))),
  ]

  @Test func eventsDescribeTheRequest() {
    expectEqual(
      event(.sent).description, "#7 at 1.250 s, attempt 2, transfer 3: PUT https://h/p?token=<redacted>, sent")
    let texts = Self.kinds.map { "\(event($0))" }
    expectEqual(Set(texts).count, texts.count)
    #expect(texts.allSatisfy { !$0.contains("abc") })
    expectEqual(
      "\(RequestEvent.Kind.retried(after: 0.5, cause: .status(503)))", "retried after 0.500 s because of status 503")
  }

  @Test(arguments: [
    ("https://h/p", "h"), ("http://u:p@h:80?x", "h"), ("http://u:p@H:81?x", "h:81"), ("http://h#f", "h"),
    ("/path", ""), ("", ""), ("a://", ""),
    ("https://[::1]:8/p", "[::1]:8"), ("mailto:a@b", ""),
  ])
  func authorityOmitsUserInfoAndDefaultPort(url: String, expected: String) {
    expectEqual(RequestEvent.RedactedURL(url).authority, expected)
  }

  @Test func firstEntryNamesTheSessionThatTheLibraryChose() async throws {
    let server = try LoopbackServer.forTest()
    server.route(.get, "/", .text("ok"))
    let entries = Collector<RequestLog.Entry>()
    let log = RequestLog(level: .info) { entries.append($0) }
    let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL, monitors: [log]))
    defer { service.invalidateAndCancel() }
    for _ in 1...2 { try await service.sendRequest(Request("/"), parser: .nothing) }
    let chosen = try DefaultSession.make()
    defer { chosen.session.invalidateAndCancel() }
    expectEqual(entries.elements.map(\.message), ["session chosen", "request succeeded", "request succeeded"])
    expectEqual(entries.elements.first?["session"], chosen.description)
    expectEqual(RequestEvent.Kind.sessionChosen("F", isFallback: chosen.isFallback).level, .info)
    expectEqual(RequestEvent.Kind.sessionChosen("F", isFallback: true).level, .notice)
  }

  @Test func levelsTellProblemsFromStations() {
    func words(_ level: RequestLog.Level) -> [String] { Self.kinds.filter { $0.level == level }.map(\.word) }
    expectEqual(words(.error), ["failure(timedOut)"])
    expectEqual(words(.info), ["redirected", "success", "cancelled", "sessionChosen"])
    let problems = ["waiting(connectivity)", "waiting(breaker)", "retried", "retried", "retried", "sessionChosen"]
    expectEqual(words(.notice), problems)
  }

  @Test func logHasAChangeableLevel() {
    let entries = Collector<RequestLog.Entry>()
    let log = RequestLog { entries.append($0) }
    Self.kinds.forEach { log.record(event($0)) }
    #expect(entries.elements.isEmpty)
    for level in RequestLog.Level.allCases {
      log.level = level
      let before = entries.elements.count
      Self.kinds.forEach { log.record(event($0)) }
      let written = entries.elements.dropFirst(before)
      expectEqual(written.count, Self.kinds.filter { $0.level >= level }.count)
      #expect(written.allSatisfy { $0.level >= level })
    }
    expectEqual(entries.elements.last?.level, .error)
  }

  @Test func entriesAreMadeInOrderAndNotOnTheThreadOfTransfers() {
    let entries = Collector<String>()
    let thread = ObjectIdentifier(Thread.current)
    let log = RequestLog(level: .debug) { entry in
      entries.append("\(entry.message), \(ObjectIdentifier(Thread.current) == thread)")
    }
    log.record(event(.sent))
    log.record(event(.delivered(.success)))
    expectEqual(entries.elements, ["request sent, false", "request succeeded, true"])
  }

  @Test func sinkMaySendARequestWithTheSameLog() {
    let entries = Collector<String>()
    let log = Locked<RequestLog?>(nil)
    let made = RequestLog(level: .info) { entry in
      entries.append(entry.message)
      if entries.elements.count == 1 { log.withLock { $0 }?.record(event(.delivered(.cancelled))) }
    }
    log.withLock { $0 = made }
    made.record(event(.delivered(.success)))
    log.withLock { $0 = nil }
    expectEqual(entries.elements, ["request succeeded", "request cancelled"])
  }

  @Test func entriesAreOneLine() {
    let entry = RequestLog.Entry(event(.retried(after: 0.5, cause: .status(503))))
    expectEqual(
      entry.description,
      "request retried request=7 attempt=2 transfer=3 elapsed=1.250 method=PUT"
        + " url=\"https://h/p?token=<redacted>\" delay=0.500 cause=\"status 503\"")
    expectEqual(entry["cause"], "status 503")
    expectEqual(entry["none"], nil)
    let metrics = WebServiceResponse.Metrics(nameLookup: 0.001, connect: 0.002, tls: 0.003, firstByte: 0.004, total: 1)
    let received = RequestLog.Entry(event(.received(status: 200, bytes: 976, metrics: metrics)))
    let names = ["bytes", "nameLookup", "connect", "tls", "firstByte", "total", "isReusedConnection"]
    expectEqual(names.map { received[$0] }, ["976", "0.001", "0.002", "0.003", "0.004", "1.000", "false"])
  }

  @Test func entryOfAnEndHasTheStatus() async throws {
    let entries = Collector<RequestLog.Entry>()
    let harness = VirtualHarness.scripted { $0.monitors = [RequestLog(level: .info) { entries.append($0) }] }
    for response in [MockResponse.status(204), .status(404), .failure(URLError(.timedOut))] {
      harness.session.script(.get, "/cities", response)
    }
    for _ in 0..<3 { _ = try? await harness.service.sendRequest(TestRequest(), parser: .nothing) }
    expectEqual(entries.elements.map(\.message), ["request succeeded", "request failed", "request failed"])
    expectEqual(entries.elements.map { $0["status"] }, ["204", "404", nil])
  }

  @Test func valuesCannotForgeALine() {
    let line = RequestLog.Entry(event(.sent, url: "https://h/\nrequest failed\u{2028}\u{1B}[0m\"x\\")).description
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 })
    // The redaction of the URL has escaped some of them already.
    #expect(line.contains("\\u{a}request failed\\\\u{2028}\\\\u{1b}[0m\\\"x\\\\"))
    for control in ["\u{1B}", "\u{9B}", "\u{202E}"] {
      let entry = RequestLog.Entry(level: .info, message: "m", fields: [.init(name: "a", value: "b\(control)")])
      #expect(!entry.description.contains(control))
    }
    for (value, written) in [
      ("", "\"\""), ("a \\", #""a \\""#), ("a\u{A0}b", "\"a\u{A0}b\""), ("a\\", "a\\"), ("a\"b", #""a\"b""#),
    ] {
      let entry = RequestLog.Entry(level: .info, message: "m", fields: [.init(name: "a", value: value)])
      expectEqual(entry.description, "m a=\(written)")
    }
  }
}
