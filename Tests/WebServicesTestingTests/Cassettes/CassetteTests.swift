import WebServicesTestSupport

@Suite struct CassetteTests {
  private let cassette = Cassette(exchanges: [
    Cassette.Exchange(
      request: Cassette.Request(
        method: .post, url: "https://h/a?x=1", headers: ["Accept": "application/json", "X-Empty": ""],
        body: .text("{\"a\":\"ä\n\"}")),
      outcome: .response(
        Cassette.Response(
          status: 200, url: "https://h/b", headers: ["Set-Cookie": "<redacted>", "set-cookie": "<redacted>"],
          body: .bytes(Data([0, 255, 10]))))),
    Cassette.Exchange(
      request: Cassette.Request(url: "https://h/c", body: .omitted("stream")),
      outcome: .failure(
        .timedOut(.idle), message: "too slow", mayHaveReachedServer: true,
        response: Cassette.Response(status: 206, url: "https://h/c", body: .text("par")))),
  ])

  @Test func fileIsReadableAndRoundTrips() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    try cassette.write(to: url)
    expectEqual(try Cassette(contentsOf: url), cassette)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.contains(#""url" : "https://h/a?x=1""#))
    #expect(text.contains(#""Accept: application/json""#))
    #expect(text.contains(#""kind" : "timedOut.idle""#))
    expectEqual(try cassette.data(), Data(text.utf8))
  }

  @Test func everyKindOfFailureHasAName() throws {
    let kinds: [TransportError.Kind] = [
      .cancelled, .invalidated, .timedOut(.connect), .timedOut(.idle), .timedOut(.whole), .notConnected, .nameLookup,
      .cannotConnect, .tls, .connectionLost, .truncated, .badFraming, .badEncoding, .tooLarge, .notHTTPResponse,
      .invalidRequest, .file, .other,
    ]
    let cassette = Cassette(
      exchanges: kinds.map { kind in
        Cassette.Exchange(
          request: Cassette.Request(url: "https://h"),
          outcome: .failure(kind, message: "", mayHaveReachedServer: false, response: nil))
      })
    expectEqual(try Cassette(data: cassette.data()), cassette)
  }

  @Test(
    arguments: [
      ("", ""), ("[]", ""), ("{}", "at version: the member is missing"),
      (#"{"version":1}"#, "at exchanges: the member is missing"),
      (#"{"version":2,"exchanges":7}"#, "version 2"), (#"{"version":1,"exchanges":[{}]}"#, "at exchanges[0].request"),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u"}}]}"#,
        "at exchanges[0]: either a response or"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u"},"response":{"status":7}}]}"#,
        "response.status"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u"},"response":{"status":200,"body":{}}}]}"#,
        "one of text, base64"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u"},"response":{"status":200,"body":{"base64":"?"}}}]}"#,
        "response.body.base64"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u","headers":["a"]},"response":{"status":200}}]}"#,
        "request.headers[0]"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u","headers":["a: b\r\nc: d"]},"response":{"status":200}}]}"#,
        "request.headers[0]"
      ),
      (
        #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"u"},"failure":{"kind":"x","message":"","mayHaveReachedServer":true}}]}"#,
        "\"x\" is no kind"
      ),
    ])
  func damagedFileReportsPlaceAndReason(json: String, reason: String) {
    do {
      _ = try Cassette(data: Data(json.utf8))
      Issue.record("it was read")
    } catch {
      #expect(reason.isEmpty || error.description.contains(reason), "\(error)")
    }
  }

  @Test func truncatedFileIsRefused() throws {
    let data = try cassette.data()
    for count in 0..<(data.count - 2) {
      #expect(throws: CassetteError.self) { try Cassette(data: data.prefix(count)) }
    }
  }

  @Test func missingFileDirectoryAndPipeAreRefused() throws {
    let directory = FileManager.default.temporaryDirectory
    #expect(throws: CassetteError.self) { try Cassette(contentsOf: directory.appendingPathComponent("none-\(UUID())")) }
    #expect(throws: CassetteError.self) { try Cassette(contentsOf: directory) }
    #expect(throws: CassetteError.self) { try cassette.write(to: directory.appendingPathComponent("none-\(UUID())/x")) }
    #expect(throws: CassetteError.self) { try Cassette(contentsOf: URL(fileURLWithPath: "/dev/null")) }
  }

  @Test(
    arguments: [
      ("https://h/a/b?c/d", "/a/b"), ("https://h", "/"), ("https://h?x=/y", "/"), ("https://h/#f", "/"), ("/a", "/a"),
      ("https://<redacted>@h/a", "/a"), ("", "/"),
    ])
  func pathOfURLIsExtracted(url: String, path: String) {
    expectEqual(Cassette.Request(url: url).path, path)
  }
}
