import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  @Suite struct RequestTests {
    private let server: LoopbackServer

    init() throws {
      server = try LoopbackServer()
    }

    private func run(_ method: String, _ path: String, _ options: String...) async throws -> DemoProcess.Outcome {
      try await DemoProcess(["request", method, server.baseURL.absoluteString + path] + options).outcome()
    }

    @Test func jsonIsShownIndentedWithItsHead() async throws {
      server.route(.get, "/a", .json(#"{"z":12345678901234567890,"a":1.10}"#, headers: ["Set-Cookie": "hunter2"]))
      let outcome = try await run("GET", "/a")
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("HTTP/1.1 200 OK\n"))
      #expect(outcome.output.contains("Set-Cookie: <redacted>\n"))
      #expect(outcome.output.contains("first byte ") && outcome.output.contains(" received\n"))
      #expect(outcome.output.hasSuffix("\n\n{\n  \"z\": 12345678901234567890,\n  \"a\": 1.10\n}\n"))
      #expect(outcome.errorOutput == "")
    }

    @Test func errorStatusShowsHeadAndContentToo() async throws {
      for status in [304, 404, 500] {
        server.route(.get, "/a", status == 304 ? .status(304) : .text("gone\u{1B}[31m", status: status))
        let outcome = try await run("GET", "/a")
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("HTTP/1.1 \(status) "))
        #expect(outcome.output.hasSuffix(status == 304 ? "No content.\n" : "gone\u{FFFD}[31m\n"))
        #expect(outcome.errorOutput == "")
      }
    }

    @Test func fieldsAndContentAreSent() async throws {
      server.route(nil, "/a", .status(204))
      let scratch = try Scratch()
      try Data("from a file".utf8).write(to: scratch.url.appendingPathComponent("a.txt"))
      for (options, text, type) in [
        (["--data", "a=b"], "a=b", "application/x-www-form-urlencoded"),
        (["--data", "@" + scratch.path("a.txt")], "from a file", "text/plain"),
        (["--json", #"{"a": 1.0}"#], #"{"a": 1.0}"#, "application/json"),
        (["--data", "x", "--header", "Content-Type: text/x"], "x", "text/x"),
      ] {
        let arguments = ["request", "PATCH", server.baseURL.absoluteString + "/a", "--header", "X-Note: ü"] + options
        #expect(try await DemoProcess(arguments).outcome().status == 0)
        let request = try #require(server.requests.last)
        #expect(request.method == .patch && request.text == text)
        #expect(request.headers["Content-Type"] == type && request.headers["X-Note"] == "ü")
      }
    }

    @Test func contentIsWrittenUnchangedToAFile() async throws {
      let bytes = Data([0, 1, 0xFF, 0x0D, 0x0A])
      server.route(.get, "/a", .data(bytes))
      let scratch = try Scratch()
      let outcome = try await run("GET", "/a", "--output", scratch.path("b"))
      #expect(outcome.status == 0)
      #expect(outcome.output.hasSuffix("5 bytes written to \(scratch.path("b")).\n"))
      #expect(try scratch.content("b") == bytes)
      let nowhere = try await run("GET", "/a", "--output", scratch.path("c/d"))
      #expect(nowhere.status == 1)
      #expect(
        nowhere.errorOutput.hasPrefix("FeatherDemo: the response can't be written to \(scratch.path("c/d")): No such"))
      let folder = try await run("GET", "/a", "--output", scratch.url.path)
      #expect(folder.errorLines.first?.hasSuffix("\(scratch.url.path): Is a directory.") == true)
      let missing = try await run("PUT", "/a", "--data", "@" + scratch.path("missing"))
      #expect(missing.status == 1)
      #expect(missing.errorLines.last?.hasPrefix(scratch.path("missing")) == true)
    }

    @Test func aCurlLineIsPrintedAndNothingSent() async throws {
      let outcome = try await run(
        "POST", "/a?token=hunter2", "--curl", "--header", "Authorization: Bearer hunter2", "--json",
        #"{"password": "hunter2", "b": 1}"#)
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("curl \\\n  --request POST \\\n"))
      #expect(outcome.output.contains("/a?token=<redacted>") && outcome.output.contains(#""b": 1"#))
      #expect(!outcome.everything.contains("hunter2"))
      #expect(server.requests.isEmpty)
    }

    @Test func aRedirectIsFollowedAndDrawn() async throws {
      server.route(.get, "/a", .redirect(to: "/b"))
      server.route(.get, "/b", .text("there"))
      let outcome = try await run("GET", "/a", "--verbose")
      #expect(outcome.status == 0)
      #expect(outcome.output.hasSuffix("there\n"))
      #expect(outcome.errorOutput.contains("attempt 1: 302 over HTTP/1.1"))
      #expect(outcome.errorOutput.contains("attempt 1: 200 over HTTP/1.1"))
    }

    @Test func unreachableServerIsExplained() async throws {
      let closed = try ClosedPort()
      let address = "http://127.0.0.1:\(closed.number)"
      let scratch = try Scratch()
      try Data("a".utf8).write(to: scratch.url.appendingPathComponent("a"))
      for arguments in [
        ["request", "GET", address + "/a?token=hunter2"], ["download", address + "/a", scratch.path("b")],
        ["upload", scratch.path("a"), "--to", address + "/a"], ["items", "--base-url", address],
        ["outage", "--base-url", address],
      ] {
        let outcome = try await DemoProcess(arguments).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains("failed. The service couldn't be reached."), "\(arguments)")
        #expect(outcome.errorOutput.contains("Is the server at \(address) running?"))
        #expect(!outcome.everything.contains("hunter2"))
      }
      #expect(scratch.names == ["a"])
    }
  }
}
