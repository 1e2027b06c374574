@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import Testing
  import WebServices
  @testable import WebServicesHTTP
  @testable import WebServicesTransport
  import WebServicesTesting

  struct CurlHeadTests {
    private func head(_ lines: [String]) -> (CurlHead, [CurlHead.Step]) {
      var head = CurlHead()
      let steps = lines.map { line in
        Array(line.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }).withUnsafeBytes {
          head.parse($0)
        }
      }
      return (head, steps)
    }

    @Test func onlyTheFinalHeadCounts() {
      let (head, steps) = head([
        "HTTP/1.1 103 Early Hints\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "\r\n",
        "X-Trailer: 2\r\n",
      ])
      #expect(steps == [.more, .more, .more, .more, .more, .complete, .more])
      #expect(head.statusCode == 200)
      #expect(head.headers(isDecoded: false) == ["X-A": "1"])
    }

    @Test(arguments: [
      ("HTTP/1.1 204", 204), ("HTTP/2 200 ", 200), ("HTTP/1.1  301 Moved", 301), ("HTTP/1.1 2", 2),
      ("HTTP/1.1 2000", 200),
    ])
    func statusLinesAreParsed(_ line: String, _ code: Int) {
      #expect(Array(line.utf8).withUnsafeBytes { CurlHead.statusCode(of: $0) } == code)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 x", "http 200", ""])
    func invalidStatusLinesAreRefused(_ line: String) {
      #expect(Array(line.utf8).withUnsafeBytes { CurlHead.statusCode(of: $0) } == nil)
    }

    @Test func lenientLinesAreAccepted() {
      let (head, _) = head([
        "HTTP/1.1 200\n", "X-Latin: J\u{FC}rgen\n", "X-Folded: a\r\n", "\t b\r\n", "no colon\r\n",
        ": no name\r\n",
        "X-Empty:\r\n", " \r\n", "X-Spaces : \t c \r\n", "\n",
      ])
      #expect(head.isComplete)
      #expect(head.value(of: "x-latin") == "J\u{FC}rgen")
      #expect(head.value(of: "X-Folded") == "a b")
      #expect(head.value(of: "X-Empty") == "")
      #expect(head.value(of: "X-Spaces") == "c")
      #expect(head.fields.count == 4)
    }

    @Test func entityTagsAreLatin1InBothDirections() {
      for tag in [[0x22, 0xE4, 0x22], [0x22, 0xC3, 0xA4, 0x22], [0x22, 0x61, 0x22]] as [[UInt8]] {
        var head = CurlHead()
        for line in [Array("HTTP/1.1 200 OK\r\n".utf8), Array("eTag: ".utf8) + tag + [0x0D, 0x0A], [0x0D, 0x0A]] {
          _ = line.withUnsafeBytes { head.parse($0) }
        }
        let value = head.value(of: "ETag") ?? ""
        #expect(value.unicodeScalars.map(\.value) == tag.map(UInt32.init))
        for name in ["If-None-Match", "if-match", "If-Range"] {
          let bytes = CurlRequestPlan.latin1Bytes(of: "\(name): \(value)")?.map(UInt8.init(bitPattern:))
          let isASCII = tag.allSatisfy { $0 < 0x80 }
          #expect(bytes == (isASCII ? nil : Array("\(name): ".utf8) + tag + [0]))
        }
        #expect(CurlRequestPlan.latin1Bytes(of: "X-Name: \(value)") == nil)
      }
      #expect(CurlRequestPlan.latin1Bytes(of: "If-Match: \"\u{20AC}\"") == nil)
    }

    @Test(arguments: [
      "no colon", ": no name", "X-Nul: a\0", "Content-Length: x", "Content-Length: -1", "Content-Length: 4",
      "Content-Length: 99999999999999999999", "Content-Length:",
    ])
    func malformedLinesAreRefused(_ line: String) {
      let (_, steps) = head(["HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", line + "\r\n", "\r\n"])
      #expect(steps.last == .malformed)
    }

    @Test func numberAndSizeOfFieldsAreLimited() {
      let lines = (0...WebServiceResponse.fieldLimit).map { "X-\($0): 1\r\n" }
      #expect(head(["HTTP/1.1 200 OK\r\n"] + lines.dropLast() + ["\r\n"]).1.last == .complete)
      #expect(head(["HTTP/1.1 200 OK\r\n"] + lines).1.last == .tooManyFields)
      // The fields of an interim response are ignored.
      let interim = ["HTTP/1.1 103 Early Hints\r\n"] + lines.dropLast() + ["\r\n"]
      #expect(head(interim + ["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "\r\n"]).1.last == .complete)
    }

    @Test func decodedHeadsDropCodingFields() {
      let (head, _) = head([
        "HTTP/1.1 200 OK\r\n", "content-encoding: gzip\r\n", "CONTENT-LENGTH: 5\r\n", "X-A: 1\r\n", "\r\n",
      ])
      #expect(head.contentLength == 5)
      #expect(head.headers(isDecoded: true) == ["X-A": "1"])
      #expect(head.headers(isDecoded: false).count == 3)
    }

    @Test func trailersCountTowardsTheLimit() {
      let head = ["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "\r\n"]
      let trailers = Array(repeating: "X-T: 1\r\n", count: WebServiceResponse.fieldLimit)
      #expect(self.head(head + trailers).1.last == .more)
      #expect(self.head(head + trailers + ["X-T: 1\r\n"]).1.last == .tooManyFields)
      let line = "X-T: " + String(repeating: "a", count: 100_000) + "\r\n"
      #expect(self.head(head + Array(repeating: line, count: 10)).1.last == .more)
      #expect(self.head(head + Array(repeating: line, count: 11)).1.last == .tooLarge)
    }

    @Test func unrequestedProtocolsAndCodingsAreDetected() {
      #expect(head(["HTTP/1.1 101 Switching\r\n", "Upgrade: websocket\r\n", "\r\n"]).1.last == .switched)
      for (value, step) in [
        ("chunked", CurlHead.Step.complete), ("Chunked ", .complete), ("gzip, chunked", .malformed),
      ] {
        #expect(head(["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: \(value)\r\n", "\r\n"]).1.last == step)
      }
    }

    @Test func endlessHeadsAreRefused() {
      let line = "X-A: " + String(repeating: "a", count: 100_000) + "\r\n"
      let (_, steps) = head(["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 11))
      #expect(steps.last == .tooLarge)
    }
  }

  struct CurlRequestPlanTests {
    private let url = URL(string: "http://example.com/a") ?? URL(fileURLWithPath: "/")

    private func plan(_ request: TransportRequest) throws -> CurlRequestPlan {
      try CurlRequestPlan(request, defaults: TransportTimeouts(idle: 60))
    }

    @Test func methodAndBodyDecideThePlansShape() throws {
      let body = TransportBody.data(Data("a".utf8))
      #expect(try plan(TransportRequest(url: url)).shape == .plain)
      #expect(try plan(TransportRequest(method: .delete, url: url)).shape == .plain)
      #expect(try plan(TransportRequest(method: .head, url: url)).shape == .headOnly)
      #expect(try plan(TransportRequest(method: .patch, url: url)).shape == .sending)
      #expect(try plan(TransportRequest(url: url, body: body)).shape == .sending)
      #expect(throws: TransportError.self) { try plan(TransportRequest(method: .head, url: url, body: body)) }
    }

    @Test func progressIsReportedAtIntervals() {
      func value(_ sent: Int64, _ received: Int64) -> TransportProgress {
        TransportProgress(sent: sent, expectedToSend: 9, received: received, expectedToReceive: nil)
      }
      var progress = CurlProgress()
      let interval = CurlProgress.interval
      let (start, later) = (interval * 5, interval * 8)
      let steps: [(TransportProgress, UInt64, Bool)] = [
        (value(1, 0), start, true), (value(2, 0), start + 1, false), (value(2, 0), start + interval, true),
        (value(2, 0), later, false), (value(9, 0), later + 1, true), (value(9, 3), later + 2, true),
        (value(9, 4), later + 3, false), (value(9, 4), later + 2 + interval, true),
      ]
      for (value, now, isDue) in steps {
        #expect(progress.isDue(value, now: now) == isDue)
        if isDue { #expect(progress.reported == value) }
      }
    }

    @Test func headerLinesAreFormatted() throws {
      let headers: HTTPHeaders = [
        "X-A": "1", "X-B": "", "content-length": "9", "Transfer-Encoding": "chunked",
      ]
      let codings = try #require(ContentCoding.accepted)
      #expect(
        CurlRequestPlan.headerLines(headers, shape: .plain) == ["X-A: 1", "X-B;", "Accept-Encoding: " + codings])
      #expect(
        CurlRequestPlan.headerLines(headers, shape: .sending) == [
          "X-A: 1", "X-B;", "Accept-Encoding: " + codings, "Content-Type:", "Expect:",
        ])
      let described: HTTPHeaders = ["Content-Type": "a", "accept-encoding": "b"]
      #expect(
        CurlRequestPlan.headerLines(described, shape: .sending)
          == ["Content-Type: a", "accept-encoding: b", "Expect:"])
    }

    @Test func timeoutsAreConverted() throws {
      var request = TransportRequest(url: url, timeouts: .init(connect: 0.0004, whole: 1.9))
      let plan = try plan(request)
      #expect(plan.connectTimeout == 1)
      #expect(plan.idleTimeout == 60_000_000_000)
      #expect(plan.wholeTimeout == 1_900_000_000)
      request.timeouts.idle = 0
      #expect(throws: TransportError.self) { try self.plan(request) }
    }

    @Test(arguments: [
      ("http://a.example/x", "http://a.example/x", "http://a.example"),
      ("HTTPS://A.example:8443?q#f", "https://a.example:8443/?q", "https://a.example:8443"),
      ("http://u:p@[::1]:80", "http://[::1]/", "http://[::1]"),
      ("http://u@x@host/@", "http://host/@", "http://host"),
    ])
    func urlsArePreparedForLibcurl(_ text: String, _ url: String, _ origin: String) throws {
      let plan = try plan(TransportRequest(url: testURL(text)))
      #expect(plan.target.text == url)
      #expect(plan.target.origin.text == origin)
      #expect(plan.target.origin.isSecure == origin.hasPrefix("https"))
    }

    @Test(arguments: [
      "", "/a", "ftp://a/b", "http:/a", "http://", "http:///a", "http://u@/a", "http://:80/", "http://a\\@b/",
      "http://a b/", "http://a/\r\nX: 1", "file:///etc/passwd", "http",
    ])
    func invalidURLsAreRefused(_ text: String) throws {
      #expect(throws: HTTPURL.Invalid.self) { try HTTPURL(text) }
      // Foundation escapes some of these characters, which makes other URLs.
      guard let url = URL(string: text), url.absoluteString == text else { return }
      #expect(throws: TransportError.self) { try self.plan(TransportRequest(url: url)) }
    }
  }

  struct CurlFailureTests {
    private func failure(
      _ code: Int, message: String = "", wasSent: Bool = true, hasHead: Bool = false, systemError: Int32 = 0
    ) -> CurlFailure {
      CurlFailure(code: code, message: message, systemError: systemError, wasSent: wasSent, hasHead: hasHead)
    }

    @Test func curlCodesMapToKinds() {
      #expect(failure(6).kind == .nameLookup)
      #expect(failure(7).kind == .cannotConnect)
      #expect(failure(7, systemError: 101).kind == .notConnected)
      #expect(failure(18).kind == .truncated)
      #expect(failure(28).kind == .timedOut(.connect))
      #expect(failure(60).kind == .tls)
      #expect(failure(52).kind == .connectionLost)
      #expect(failure(56).kind == .connectionLost)
      #expect(failure(56, hasHead: true).kind == .truncated)
      #expect(failure(56, message: "Illegal chunk").kind == .badFraming)
      #expect(failure(61).kind == .badEncoding)
      #expect(failure(1).kind == .notHTTPResponse)
      #expect(failure(1, wasSent: false).kind == .invalidRequest)
      #expect(failure(999).kind == .other)
      #expect(failure(27).kind == .tooLarge)
      #expect(failure(27, wasSent: false).kind == .invalidRequest)
      #expect(failure(27, hasHead: true).kind == .other)
    }

    @Test func failureSaysWhetherItMayHaveReachedTheServer() {
      for code in [5, 6, 7, 28] { #expect(!failure(code).mayHaveReachedServer) }
      for code in [18, 52, 55, 56, 8, 61] {
        #expect(failure(code).mayHaveReachedServer)
        #expect(!failure(code, wasSent: false).mayHaveReachedServer)
      }
      #expect(!failure(35, wasSent: false).mayHaveReachedServer)
    }
  }

  struct CurlRefusalTests {
    private let notBuiltIn = 4
    private let badArgument = 43
    private let unknown = 48
    private let pinnedKeys = 10230
    private let netrc = 51
    private let keepAlive = 213

    @Test func refusedSecurityOptionFailsTheRequest() {
      for code in [notBuiltIn, badArgument, unknown] {
        #expect(CurlRefusal(option: pinnedKeys, code: code, isOff: false)?.code == code)
        #expect(CurlRefusal(option: keepAlive, code: code, isOff: false) == nil)
      }
      #expect(CurlRefusal(option: pinnedKeys, code: 0, isOff: false) == nil)
    }

    @Test func switchingOffAMissingOptionIsNoFailure() {
      #expect(CurlRefusal(option: netrc, code: notBuiltIn, isOff: true) == nil)
      #expect(CurlRefusal(option: netrc, code: unknown, isOff: true) == nil)
      #expect(CurlRefusal(option: netrc, code: badArgument, isOff: true) != nil)
      #expect(CurlRefusal(option: netrc, code: unknown, isOff: false) != nil)
    }
  }

  struct CurlProxySettingsTests {
    @Test func environmentSetsTheProxy() {
      let settings = CurlProxySettings(
        .system,
        environment: ["HTTP_PROXY": "a", "https_proxy": "b", "HTTPS_PROXY": "c", "NO_PROXY": "d"])
      #expect(settings.plain == "a" && settings.secure == "b" && settings.exceptions == "d")
      let gateway = CurlProxySettings(
        .system, environment: ["HTTP_PROXY": "a", "REQUEST_METHOD": "GET"])
      #expect(gateway.plain == "")
      let all = CurlProxySettings(.system, environment: ["ALL_PROXY": "a", "http_proxy": ""])
      #expect(all.plain == "a" && all.secure == "a")
    }

    @Test func configuredProxyOverridesTheEnvironment() {
      let environment = ["http_proxy": "a", "no_proxy": "b"]
      #expect(
        CurlProxySettings(.none, environment: environment) == CurlProxySettings(.none, environment: [:]))
      let fixed = CurlProxySettings(.url("c"), environment: environment)
      #expect(fixed.plain == "c" && fixed.secure == "c" && fixed.exceptions == "")
    }

    @Test func trustOptionsAreSet() {
      let environment = ["SSL_CERT_FILE": "a", "SSL_CERT_DIR": ""]
      #expect(CurlTrust(.system, environment: environment).file == "a")
      #expect(CurlTrust(.system, environment: environment).directory == nil)
      #expect(CurlTrust(.file("b"), environment: environment).file == "b")
    }
  }

  struct CurlLibraryTests {
    @Test func versionFeaturesAreDetected() {
      let old = CurlLibrary.Features(version: 0x07_44_00, bits: 4)
      #expect(
        !old.hasPrerequest && !old.canLeaveLookup && old.hasTLS && !old.hasHTTP2)
      let new = CurlLibrary.Features(version: 0x08_05_00, bits: -1)
      #expect(new.hasPrerequest && new.canLeaveLookup && new.hasHTTP2)
    }

    @Test func defaultSessionDescribesItsTransport() {
      let session = DefaultSession.make()
      switch CurlLibrary.found {
      case .success:
        #expect(session.session is CurlSession)
        #expect(session.description.hasPrefix("CurlSession on libcurl "))
      case .failure(let reason):
        #expect(session.description == "FoundationSession: \(reason)")
      }
      session.session.invalidateAndCancel()
      let other = DefaultSession.foundation(FoundationSession(), because: "of a test")
      #expect(other.description == "FoundationSession: of a test")
      other.session.invalidateAndCancel()
    }
  }
#endif
