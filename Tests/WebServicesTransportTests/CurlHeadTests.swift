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

    @Test func foldedFirstLineIsRefused() {
      #expect(head(["HTTP/1.1 200 OK\r\n", " folded\r\n", "\r\n"]).1.last == .malformed)
    }

    @Test func onlyTheFinalHeadIsKept() {
      let (head, steps) = head([
        "HTTP/1.1 103 Early Hints\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "\r\n",
        "X-Trailer: 2\r\n",
      ])
      #expect(steps == [.more, .more, .more, .more, .more, .complete, .more])
      #expect(head.statusCode == 200)
      #expect(head.headers(isDecoded: false) == ["X-A": "1"])
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
      #expect(head([line + "\r\n"]).1.last == .malformed)
      #expect(head(["HTTP/1.1 103 Early Hints\r\n", "\r\n", line + "\r\n"]).1.last == .malformed)
    }

    @Test func statusLineWithinAHeadIsAField() {
      let (head, steps) = head(["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "HTTP/1.1 302 Found: b\r\n", "\r\n"])
      #expect(steps.last == .complete && head.statusCode == 200 && head.fields.count == 2)
    }

    @Test func equalLengthsOfAListAreOne() {
      let (head, steps) = head(["HTTP/1.1 200 OK\r\n", "Content-Length: 5, 5 ,5\r\n", "\r\n"])
      #expect(steps.last == .complete && head.contentLength == 5)
      #expect(head.headers(isDecoded: false) == ["Content-Length": "5"])
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

    @Test(arguments: [
      "no colon", ": no name", "X-Nul: a\0", "X-CR: a\rb", "X-CR: a\r", " a\rb", "X\rCR: a", "Content-Length: x",
      "Content-Length: -1", "Content-Length: 4", "Content-Length: 3, 4", "Content-Length: 3,",
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

  struct CurlLibraryTests {
    @Test func defaultSessionDescribesItsTransport() throws {
      let session = try DefaultSession.make()
      switch CurlLibrary.found {
      case .success:
        #expect(session.session is CurlSession)
        #expect(session.description.hasPrefix("CurlSession on libcurl "))
      case .failure(let reason):
        #expect(session.description == "FoundationSession: \(reason)")
      }
      session.session.invalidateAndCancel()
      let other = try DefaultSession.foundation(TransportConfiguration(), because: "of a test")
      #expect(other.description == "FoundationSession: of a test")
      other.session.invalidateAndCancel()
    }
  }
#endif
