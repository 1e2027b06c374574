@testable import WebServicesTestSupport
#if os(Linux)
  import CurlShim
  @testable import WebServicesTransport

  struct CurlHeadTests {
    private func head(_ lines: [String], former: [HTTPHeaders.Field] = []) -> (CurlHead, [CurlHead.Step]) {
      var head = CurlHead(former: former)
      let steps = lines.map { line in
        Array(line.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }).withUnsafeBytes {
          head.parse($0)
        }
      }
      return (head, steps)
    }

    @Test(arguments: [
      ("HTTP/1.1 204", 1, 204), ("HTTP/2 200 ", 2, 200), ("HTTP/1.0 301 Moved", 1, 301), ("HTTP/3 404", 3, 404),
    ])
    func statusLinesAreParsed(_ line: String, _ version: Int, _ code: Int) {
      let (head, _) = head([line + "\r\n", "\r\n"])
      #expect(head.version == version && head.statusCode == code && head.isComplete)
    }

    @Test(arguments: [
      "HTTP/1.1", "HTTP/1.1 x", "http/1.1 200 OK", "HTTP/x 200 OK", "HTTP/1.1  200 OK", "HTTP/1.1 20", "HTTP/1.1 2000",
      "HTTP/1.x 200 OK", "HTTP/11 200 OK", "HTTP/ 200 OK", "X-A: 1",
    ])
    func invalidStatusLinesAreRefused(_ line: String) {
      expectEqual(head([line + "\r\n"]).1.last, .malformed)
      expectEqual(head(["HTTP/1.1 103 Early Hints\r\n", "\r\n", line + "\r\n"]).1.last, .malformed)
    }

    @Test(
      arguments: [
        ("no colon", .malformed), (": no name", .malformed), ("X-Nul: a\0", .malformed), ("X-CR: a\rb", .malformed),
        ("X-CR: a\r", .malformed), (" a\rb", .malformed), ("X\rCR: a", .malformed), ("Content-Length: x", .malformed),
        ("Content-Length: -1", .malformed), ("Content-Length: 4", .malformed), ("Content-Length: 3, 4", .malformed),
        ("Content-Length: 3,", .malformed), ("Content-Length: 99999999999999999999", .malformed),
        ("Content-Length:", .malformed), ("Transfer-Encoding: gzip, chunked", .malformed),
        ("Transfer-Encoding: Chunked ", .complete), ("Transfer-Encoding: chun\u{E2}\u{84}\u{AA}ed", .malformed),
        ("Content-Length : 3", .malformed), ("X-A : 1", .malformed), ("X-A\t: 1", .malformed), (" :", .malformed),
        // Fields of the framing aren't folded.
        ("Transfer-Encoding:\r\n chunked", .malformed), ("transfer-encoding: \r\n\tchunked", .malformed),
        ("Content-Length:\r\n 3", .malformed),
      ] as [(String, CurlHead.Step)])
    func malformedLinesAreRefused(_ line: String, _ step: CurlHead.Step) {
      let lines = line.components(separatedBy: "\r\n").map { $0 + "\r\n" }
      let length = line.lowercased().hasPrefix("transfer") || lines.count > 1 ? [] : ["Content-Length: 3\r\n"]
      expectEqual(head(["HTTP/1.1 200 OK\r\n"] + length + lines + ["\r\n"]).1.last, step)
    }

    @Test(arguments: [
      "X-A: 1\r\n", "X-A: 2\r\n", "X-A:1\r\n", "x-a: 1\r\n", "X-A:\r\n", "X-B: 1\r\n", "X-A: 1\0\r\n",
      "X-A : 1\r\n", " X-A: 1\r\n",
    ])
    func fieldsOfAnEarlierResponseChangeNothing(_ lines: String) {
      let lines = ["HTTP/1.1 200 OK\r\n", lines, "Content-Length: 3\r\n", "\r\n"]
      let former = [HTTPHeaders.Field(name: "X-A", value: "1"), HTTPHeaders.Field(name: "Content-Length", value: "3")]
      let (plain, plainSteps) = head(lines)
      let (other, steps) = head(lines, former: former)
      expectEqual(steps, plainSteps)
      expectEqual(other.fields, plain.fields)
      expectEqual(other.contentLength, plain.contentLength)
    }

    @Test(arguments: [("HTTP/1.1 200", false), ("HTTP/1.1 204", true), ("HTTP/1.1 304", true)])
    func responseWithoutContentHasNoLength(_ line: String, _ allowsContent: Bool) {
      var head = CurlHead(allowsContent: allowsContent)
      for line in [line, "Content-Length: 3", "Content-Encoding: gzip", ""] {
        _ = Array("\(line)\r\n".utf8).withUnsafeBytes { head.parse($0) }
      }
      #expect(head.isComplete && head.contentLength == 0 && !head.hasCoding)
      expectEqual(head.headers.contentLength, 3)
    }

    @Test func headsAndTrailersHaveLimits() {
      let status = ["HTTP/1.1 200 OK\r\n"]
      let ended = status + ["X-A: 1\r\n", "\r\n"]
      let most = Array(repeating: "X-T: 1\r\n", count: WebServiceResponse.fieldLimit)
      let large = Array(repeating: "X-T: " + String(repeating: "a", count: 100_000) + "\r\n", count: 11)
      // The fields of an interim response are ignored.
      let interim = ["HTTP/1.1 103 Early Hints\r\n"] + most + ["\r\n"]
      let rows: [(lines: [String], step: CurlHead.Step)] = [
        (status + most + ["\r\n"], .complete), (status + most + ["X-T: 1\r\n"], .tooManyFields),
        (interim + ended, .complete), (ended + most, .more), (ended + most + ["X-T: 1\r\n"], .tooManyFields),
        (status + large, .tooLarge), (ended + large.dropLast(), .more), (ended + large, .tooLarge),
        (status + [" folded\r\n", "\r\n"], .malformed), (["HTTP/1.1 101 S\r\n", "Upgrade: a\r\n", "\r\n"], .switched),
      ]
      for (lines, step) in rows { expectEqual(head(lines).1.last, step) }
    }

    @Test(arguments: ["hello", "0", ": no name", "X-\0Nul: a", "X-CR: a\rb"])
    func malformedTrailerIsRefused(_ line: String) {
      let ended = ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"]
      expectEqual(head(ended + ["X-A: 1\r\n", line + "\r\n"]).1.suffix(2), [.more, .malformed])
      expectEqual(head(ended + ["X-A: 1\r\n", "\r\n"]).1.last, .more)
    }

    @Test func randomHeadsAreReadOrRefused() {
      let pieces = [
        "HTTP/1.1 200 OK\r\n", "HTTP/2 103\r\n", "HTTP/", "204 ", "\r\n", "\r", "\0", "é", "X", ": ", " b\r\n",
        "X: a\r\n", "Content-Length: 5\r\n", "99",
      ]
      for text in randomTexts(2000, seed: 1, of: pieces, lengths: 1...12) {
        var head = CurlHead()
        let end = text.components(separatedBy: "\n").lazy
          .map { line in Data((line + "\n").utf8).withUnsafeBytes { head.parse($0) } }
          .first { $0 != .more }
        #expect((0...999).contains(head.statusCode) && (!head.isComplete || end != nil))
      }
    }

    @Test func chunksCountAndNoLengthBesideThem() {
      for order in [
        ["Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n"],
        ["Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"],
      ] {
        let (head, steps) = head(["HTTP/1.1 200 OK\r\n"] + order + ["\r\n"])
        #expect(steps.last == .complete && head.contentLength == nil)
        expectEqual(head.headers, ["Transfer-Encoding": "chunked"])
      }
    }

    @Test func unusualLinesAreAccepted() {
      let (head, steps) = head([
        "HTTP/1.1 200\n", "X-Latin: J\u{FC}rgen\n", "X-Folded: a\r\n", "\t b\r\n", "HTTP/1.1 302 Found: b\r\n",
        "Location: /Jos\u{E9}?\u{C3}\n", "Location: /Jos\u{C3}\u{A9}\n", "X-Empty:\r\n", " \r\n", "X-Spaces: \t c \r\n",
        "Content-Length: 5, 5 ,5\r\n", "\n",
      ])
      #expect(steps.last == .complete && head.statusCode == 200 && head.contentLength == 5)
      expectEqual(
        head.headers,
        [
          "X-Latin": "J\u{FC}rgen", "X-Folded": "a b", "HTTP/1.1 302 Found": "b",
          "Location": "/Jos%E9?%C3", "Location": "/Jos\u{E9}", "X-Empty": "", "X-Spaces": "c",
          "Content-Length": "5",
        ])
    }
  }

  struct CurlLibraryTests {
    @Test func http2IsOptionalAndTLSIsNot() throws {
      var version = CurlShimVersion()
      (version.number, version.features) = (0x08_05_00, Int32(curlFeatureTLS | curlFeatureAsynchronousLookup))
      expectEqual(try CurlLibrary.check(version).hasHTTP2, false)
      version.features |= Int32(curlFeatureHTTP2)
      expectEqual(try CurlLibrary.check(version).hasHTTP2, true)
      version.features = Int32(curlFeatureTLS)
      #expect(throws: CurlUnavailable.self) { try CurlLibrary.check(version) }
    }

    /// The session of a libcurl without HTTP/2 must not ask for HTTP/2: libcurl would refuse the option. A libcurl that
    /// has a place for certificates keeps it.
    @Test func sessionTakesWhatTheLibraryHas() throws {
      var library = try CurlLibrary.found.get()
      expectEqual(library.certificates, nil)
      library.hasHTTP2 = false
      let session = try CurlSession.forTest(library: library)
      expectEqual(session.configuration.isHTTP2Enabled, false)
    }

    @Test func defaultSessionDescribesItsTransport() throws {
      let session = try DefaultSession.make()
      switch CurlLibrary.found {
      case .success:
        #expect(session.session is CurlSession)
        #expect(session.description.hasPrefix("CurlSession on libcurl "))
      case .failure(let reason):
        expectEqual(session.description, "FoundationSession: \(reason)")
      }
      session.session.invalidateAndCancel()
      let other = try DefaultSession.foundation(TransportConfiguration(), because: "of a test")
      expectEqual(other.description, "FoundationSession: of a test")
      other.session.invalidateAndCancel()
    }
  }
#endif
