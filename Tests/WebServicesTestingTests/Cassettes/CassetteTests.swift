@testable import WebServicesTestSupport
@testable import WebServicesTesting

@Suite struct CassetteTests {
  private let cassette = Cassette(exchanges: [
    Cassette.Exchange(
      request: Cassette.Request(
        method: .post, url: "https://h/a?x=1",
        headers: ["Accept": "application/json", "X-Empty": "", "X-Wide": "a\u{85}b\u{2028}c\u{A0}"],
        body: .text("{\"a\":\"ä\n\"}")),
      response: Cassette.Response(
        status: 200, headers: ["Set-Cookie": "<redacted>", "set-cookie": "<redacted>"],
        body: .bytes(Data([0, 255, 10])))),
    Cassette.Exchange(
      request: Cassette.Request(method: .put, url: "https://h/c", body: .omitted("stream")),
      response: Cassette.Response(status: 206, body: .text("par")),
      failure: Cassette.Failure(kind: .timedOut(.idle), message: "too slow", mayHaveReachedServer: true)),
    Cassette.Exchange(
      request: Cassette.Request(method: .put, url: "https://h/d", body: .bytes(Data([0, 255]))),
      response: Cassette.Response(
        status: 204, headers: ["Content-Type": "text/plain; charset=iso-8859-1"], body: .text("ä"))),
    Cassette.Exchange(
      request: Cassette.Request(url: "https://h/e"),
      response: Cassette.Response(
        status: 302, headers: ["Content-Type": "text/plain; charset=UTF-8", "Location": "/f"],
        body: .text("go to /f"))),
    Cassette.Exchange(
      request: Cassette.Request(method: .put, url: "https://h/g", body: .bytes(Data([0x61, 0x7F]))),
      response: Cassette.Response(status: 200, body: .bytes(Data([0xEF, 0xBB, 0xBF, 0x61])))),
  ])

  private func read(_ entries: String...) throws -> Cassette {
    try Cassette(data: Data(#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
  }

  /// An entry with the members of a request and a response.
  private func entry(_ request: String = "", _ response: String = #""status":200"#, at started: String = "") -> String {
    let request = #""method":"GET","url":"https://h/a""# + (request.isEmpty ? "" : ",") + request
    return #"{"startedDateTime":"\#(started)","request":{\#(request)},"response":{\#(response)}}"#
  }

  private func response(_ members: String) throws -> Cassette.Response {
    try #require(try read(entry("", members)).exchanges.first?.response)
  }

  @Test func fileIsReadableAndRoundTrips() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("cassette.har")
    try cassette.write(to: url)
    expectEqual(try Cassette(contentsOf: url), cassette)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.contains(#""url" : "https://h/a?x=1""#))
    #expect(text.contains(#""_kind" : "timedOut.idle""#))
    #expect(text.contains(#""text" : "go to /f""#) && text.contains(#""text" : "YX8=""#))
    expectEqual(try cassette.data(), Data(text.utf8))
    expectEqual(try Cassette(data: [0xEF, 0xBB, 0xBF] + cassette.data()), cassette)
    let link = folder.url.appendingPathComponent("link.har")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    expectEqual(try Cassette(contentsOf: link), cassette)
  }

  @Test func fileHasEveryMemberThatTheSpecificationRequires() throws {
    let har = try JSONDecoder().decode(JSONValue.self, from: cassette.data())
    let log = try #require(har["log"])
    expectEqual(log["version"], "1.2")
    #expect(log["creator"]?["name"] != nil && log["creator"]?["version"] != nil)
    for entry in log["entries"]?.array ?? [] {
      for name in ["startedDateTime", "time", "cache", "timings"] { #expect(entry[name] != nil) }
      for name in ["send", "wait", "receive"] { #expect(entry["timings"]?[name] != nil) }
      let shared = ["httpVersion", "cookies", "headers", "headersSize", "bodySize"]
      for name in shared + ["method", "url", "queryString"] { #expect(entry["request"]?[name] != nil) }
      for name in shared + ["status", "statusText", "content", "redirectURL"] {
        #expect(entry["response"]?[name] != nil)
      }
      for name in ["size", "mimeType"] { #expect(entry["response"]?["content"]?[name] != nil) }
    }
    expectEqual(log["entries"]?[0]?["request"]?["queryString"], [["name": "x", "value": "1"]])
    let bodies: [JSONValue?] = (log["entries"]?.array ?? []).map { $0["request"]?["postData"] }
    expectEqual(bodies.map { $0 != nil }, [true, true, true, false, true])
    expectEqual(log["entries"]?[3]?["response"]?["redirectURL"], "/f")
  }

  @Test func everyKindOfFailureHasAName() throws {
    let kinds: [TransportError.Kind] = [
      .cancelled, .invalidated, .timedOut(.connect), .timedOut(.idle), .timedOut(.whole), .notConnected, .nameLookup,
      .cannotConnect, .tls, .connectionLost, .truncated, .badFraming, .badEncoding, .tooLarge, .notHTTPResponse,
      .invalidRequest, .file, .refusedBySession, .other,
    ]
    let cassette = Cassette(
      exchanges: kinds.map { kind in
        Cassette.Exchange(
          request: Cassette.Request(url: "https://h"),
          failure: Cassette.Failure(kind: kind, message: "", mayHaveReachedServer: false))
      })
    expectEqual(try Cassette(data: cassette.data()), cassette)
  }

  // MARK: Exports of other programs

  @Test func entriesAreSortedByTheirStart() throws {
    let starts = [
      "2026-11-24T10:00:02Z", "2026-11-24T11:00:01.5+01:00", "none", "2026-11-24T10:00:00.1234567+00:00", "",
      "2026-11-24T10:00:01.400Z",
    ]
    let entries = starts.enumerated().map { entry(#""headers":[{"name":"X","value":"\#($0)"}]"#, at: $1) }
    let cassette = try Cassette(data: Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
    expectEqual(cassette.exchanges.map { $0.request.headers["X"] }, ["3", "4", "5", "1", "2", "0"])
  }

  @Test(.timeLimit(.minutes(3))) func pseudoHeaderFieldsAreDroppedAndJoinedFieldsSeparated() throws {
    let fields =
      #"{"name":":status","value":"200"},{"name":"set-cookie","value":"a=1 \n b=2\r\nc=3"},{"name":"x-null","value":null}"#
    expectEqual(
      try response(#""status":200,"headers":[\#(fields)]"#).headers,
      HTTPHeaders(
        [("set-cookie", "a=1"), ("set-cookie", "b=2"), ("set-cookie", "c=3"), ("x-null", "")].map(
          HTTPHeaders.Field.init)))
    // The time grows with the number of fields, and not with its square.
    let many = Array(repeating: #"{"name":"a"}"#, count: 30_000).joined(separator: ",")
    expectEqual(try response(#""status":200,"headers":[\#(many)]"#).headers.count, 30_000)
  }

  @Test(arguments: [
    (#"{"size":2,"text":"aGk=","encoding":"base64"}"#, "", "hi", [] as [String]),
    (#"{"size":9,"text":"hi"}"#, "gzip", "hi", []),
    (
      #"{"size":9,"text":"H4sA","encoding":"base64"}"#, "gzip", "\u{1F}\u{8B}\u{0}",
      ["Content-Encoding", "Content-Length"]
    ),
    (#"{"size":0}"#, "gzip", "", ["Content-Encoding", "Content-Length"]),
  ])
  func contentIsDecoded(content: String, coding: String, body: String, kept: [String]) throws {
    let fields = #"{"name":"Content-Encoding","value":"\#(coding)"},{"name":"Content-Length","value":"9"}"#
    let response = try response(#""status":200,"headers":[\#(coding.isEmpty ? "" : fields)],"content":\#(content)"#)
    let expected = Data(body.unicodeScalars.map { UInt8($0.value) })
    expectEqual(response.body, kept.isEmpty ? .text(body) : expected.isEmpty ? .none : .bytes(expected))
    expectEqual(response.headers.map(\.name), kept)
    // The length of a response to HEAD stays.
    if expected.isEmpty { expectEqual(response.headers["Content-Length"], "9") }
    expectEqual(response.isDecoded, coding == "gzip" && kept.isEmpty)
  }

  @Test func textIsReplayedInUTF8() throws {
    let fields =
      #"{"name":"Content-Type","value":"text/html; charset=ISO-8859-1"},{"name":"Content-Length","value":"1"}"#
    for encoding in ["", #","encoding":"""#] {
      let response = try response(#""status":200,"headers":[\#(fields)],"content":{"text":"ä"\#(encoding)}"#)
      expectEqual(response.body, .text("ä"))
      expectEqual(response.headers.contentType?.charset, "utf-8")
      // A download with another length would be taken for cut.
      expectEqual(response.headers["Content-Length"], "2")
    }
    // A response to HEAD has no text.
    let head = try response(#""status":200,"headers":[\#(fields)]"#)
    expectEqual(head.headers.contentType?.charset?.lowercased(), "iso-8859-1")
    let json = #""headers":[{"name":"Content-Type","value":"application/json"}],"content":{"text":"1"}"#
    expectEqual(try response(#""status":200,"# + json).headers["Content-Type"], "application/json")
  }

  @Test(arguments: [
    (#""mimeType":"application/json","text":"{}","params":[{"name":"a"}]"#, Cassette.Body.text("{}")),
    (#""text":"AP8=","encoding":"base64""#, .bytes(Data([0, 255]))),
    (
      #""mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"1&2"},{"name":"c"}]"#,
      .text("a+b=1%262&c=")
    ),
    (
      #""mimeType":"multipart/form-data; boundary=b","params":[{"name":"a"}]"#,
      .omitted("the export has no text of the form")
    ),
    (#""mimeType":"text/plain""#, .none),
  ])
  func bodyOfARequestIsTextOrParameters(postData: String, body: Cassette.Body) throws {
    expectEqual(try read(entry(#""postData":{\#(postData)}"#)).exchanges.first?.request.body, body)
  }

  @Test func entryWithoutAResponseIsAFailure() throws {
    let exchanges = try read(
      entry("", #""status":0,"content":{},"_error":"net::ERR_NAME_NOT_RESOLVED""#),
      entry("", #""status":0,"_error":null"#)
    ).exchanges
    #expect(exchanges.allSatisfy { $0.response == nil })
    expectEqual(
      exchanges.map(\.failure),
      ["net::ERR_NAME_NOT_RESOLVED", "the recorded request got no response"].map {
        Cassette.Failure(kind: .connectionLost, message: $0, mayHaveReachedServer: true)
      })
  }

  /// A browser writes the reason of a failure beside the part of a response that had arrived.
  @Test func responseThatBrokeOffIsAFailure() throws {
    let length = #"[{"name":"Content-Length","value":"9"}]"#
    let part = #""status":200,"headers":\#(length),"content":{"text":"ab"},"_error""#
    let exchanges = try read(entry("", part + #":"net::ERR_CONTENT_LENGTH_MISMATCH""#), entry("", part + #":"""#))
      .exchanges
    expectEqual(exchanges.map(\.failure?.message), ["net::ERR_CONTENT_LENGTH_MISMATCH", nil])
    expectEqual(exchanges.map(\.response?.body), [.text("ab"), .text("ab")])
    // A part keeps the length of the whole.
    expectEqual(exchanges.map { $0.response?.headers["Content-Length"] }, ["9", "2"])
  }

  @Test func secretsOfAnExportAreHidden() throws {
    var export = try read(
      entry(
        #""headers":[{"name":"Authorization","value":"Bearer Zq7Xw9Kv2L"}]"#,
        #""status":200,"headers":[{"name":"Content-Length","value":"10"}],"content":{"text":"Zq7Xw9Kv2L"}"#))
    export.exchanges += export.exchanges
    export.exchanges[1].request.url = "http://h:no/port"
    let text = String(decoding: try export.redacted().data(), as: UTF8.self)
    #expect(!text.contains("Zq7Xw9Kv2L"))
    let request = Cassette.Request(url: "https://me:Zq7Xw9Kv2L@h/?token=Zq7Xw9Kv2L")
    expectEqual(printedTexts(of: request).contains("Zq7"), false)
    expectEqual(try Cassette(data: Data(text.utf8)).redacted(), export.redacted())
  }

  // MARK: Bad input

  @Test(arguments: [
    ("", ""), ("[]", "at the start: expected"), ("x\u{9C}", "compressed"),
    ("{}", #"at log: expected the key "log"; delete the file and record it again, or export"#),
    (#"{"version":1,"exchanges":[]}"#, #"at log: expected the key "log"; delete the file and record it again"#),
    (#"{"log":{}}"#, "at log.entries"), (#"{"log":{"entries":[{}]}}"#, "at log.entries[0].request"),
    ("\u{1F}\u{8B}", "the file is compressed, so decompress it first"), ("PK\u{3}", "compressed"),
    (String(repeating: "[", count: 513), ""),
  ])
  func damagedFileReportsPlaceAndRemedy(text: String, reason: String) {
    let data = Data(text.unicodeScalars.map { UInt8($0.value) })
    let error = #expect(throws: CassetteError.self) { try Cassette(data: data) }
    #expect(reason.isEmpty || error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("", #""status":7"#, "at log.entries[0].response.status: 7 is none"),
    ("", #""status":200,"content":{"text":"?","encoding":"base64"}"#, "response.content.text"),
    (#""headers":[{"name":"a","value":"b"},{"name":"a b","value":"c"}]"#, #""status":200"#, "request.headers[1]"),
    ("", #""status":0,"_kind":"x""#, "response._kind: \"x\" is no kind"),
  ])
  func damagedEntryReportsItsPlace(request: String, response: String, reason: String) {
    let error = #expect(throws: CassetteError.self) { try read(entry(request, response)) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func truncatedFileIsRefused() throws {
    let data = try cassette.data()
    for count in 0..<(data.count - 2) {
      #expect(throws: CassetteError.self) { try Cassette(data: data.prefix(count)) }
    }
  }

  @Test func missingFileDirectoryAndPipeAreRefused() throws {
    let directory = FileManager.default.temporaryDirectory
    let missing = directory.appendingPathComponent("none-\(UUID())")
    #expect { try Cassette(contentsOf: missing) } throws: { error in
      "\(error)".hasPrefix("the cassette \(missing.path) can't be read") && !"\(error)".contains("Domain")
    }
    #expect(throws: CassetteError.self) { try cassette.write(to: directory.appendingPathComponent("none-\(UUID())/x")) }
    let file = try TemporaryFile(cassette.data())
    for url in [directory, URL(fileURLWithPath: "/dev/null"), testURL("https://h\(file.url.path)")] {
      #expect(throws: CassetteError.unreadable(path: url.path, reason: "the path is no regular file")) {
        try Cassette(contentsOf: url)
      }
    }
  }

  @Test func hugeFileIsRefusedUnread() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("huge.har")
    try Data().write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 256 * 1024 * 1024)
    try handle.close()
    #expect(throws: CassetteError.tooLarge(limit: 256 * 1024 * 1024 - 1)) { try Cassette(contentsOf: url) }
  }

  @Test(arguments: [
    ("https://h/a/b?c/d", "/a/b"), ("https://h", "/"), ("https://h?x=/y", "/"), ("https://h/#f", "/"), ("/a", "/a"),
    ("https://<redacted>@h/a", "/a"), ("", "/"),
  ])
  func pathOfURLIsExtracted(url: String, path: String) { expectEqual(Cassette.Request(url: url).path, path) }
}

extension Cassette.Body {
  static func text(_ text: String) -> Self { Self(data: Data(text.utf8)) }

  static func bytes(_ data: Data) -> Self { Self(data: data) }

  static func omitted(_ reason: String) -> Self { Self(omission: reason) }
}
