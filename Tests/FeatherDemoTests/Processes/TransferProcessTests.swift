import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  @Suite struct TransferProcessTests {
    private let server: LoopbackServer
    private let scratch: Scratch

    init() throws {
      server = try LoopbackServer()
      scratch = try Scratch()
    }

    private func download(_ path: String, to name: String) async throws -> DemoProcess.Outcome {
      try await DemoProcess(["download", path, scratch.path(name)]).outcome()
    }

    @Test func aFileOfTheDemoIsDownloaded() async throws {
      let outcome = try await download("files/300k", to: "a")
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("Downloaded 300.0 kB to \(scratch.path("a")) in "))
      #expect(outcome.lines.count == 1 && outcome.errorOutput == "")
      #expect(try scratch.content("a").count == 300_000)
      #expect(scratch.names == ["a"])
    }

    @Test func aBrokenConnectionIsResumed() async throws {
      #expect(try await download("files/300k", to: "whole").status == 0)
      #expect(try await download("files/300k?break=100k", to: "resumed").status == 0)
      #expect(try scratch.content("resumed") == scratch.content("whole"))
    }

    @Test func existingFileStaysUntilTheDownloadIsComplete() async throws {
      try Data("old".utf8).write(to: scratch.url.appendingPathComponent("a"))
      for response in [LoopbackServer.Response.text("oops", status: 404), .text("half", declaringLength: 8)] {
        server.route(.get, "/a", response)
        let outcome = try await download(server.url("/a").absoluteString, to: "a")
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.hasPrefix("FeatherDemo: downloading failed. "))
        #expect(try scratch.content("a") == Data("old".utf8))
      }
      server.route(.get, "/a", .text("new"))
      #expect(try await download(server.url("/a").absoluteString, to: "a").status == 0)
      #expect(try scratch.content("a") == Data("new".utf8))
      #expect(scratch.names == ["a"])
    }

    @Test func interruptedDownloadLeavesNoFile() async throws {
      let gate = LoopbackServer.Gate()
      server.route(
        .get, "/a",
        [.head(status: 200, headers: ["Content-Length": "200000"]), .body(Data(count: 100_000)), .wait(gate)])
      let process = try DemoProcess(["download", server.url("/a").absoluteString, scratch.path("a")])
      #expect(await gate.waitUntilReached())
      process.interrupt()
      let outcome = try await process.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.everything == "")
      #expect(scratch.names == [])
    }

    @Test func missingFolderIsExplained() async throws {
      let outcome = try await download("files/5", to: "b/c")
      #expect(outcome.status == 1)
      #expect(outcome.errorOutput.contains("A file couldn't be read or written."))
      #expect(outcome.errorLines.last?.hasPrefix("\(scratch.path("b/c")): No such file or directory. ") == true)
    }

    @Test func fileIsUploadedUnchanged() async throws {
      let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
      try bytes.write(to: scratch.url.appendingPathComponent("a b.bin"))
      server.route(.put, "/sink", .status(201))
      let arguments = ["upload", scratch.path("a b.bin"), "--to", server.url("/sink").absoluteString]
      let outcome = try await DemoProcess(arguments).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("Uploaded 300.0 kB to \(server.url("/sink").absoluteString) in "))
      #expect(server.requests.last?.body == bytes)
      let own = try await DemoProcess(["upload", scratch.path("a b.bin"), "--json"]).outcome()
      #expect(own.status == 0)
      #expect(own.output.contains(#""bytes":300000"#) && own.output.contains("/uploads/a%20b.bin"))
    }

    @Test func anUploadThatFailsIsExplained() async throws {
      let missing = try await DemoProcess(["upload", scratch.path("missing")]).outcome()
      #expect(missing.status == 1)
      #expect(missing.errorOutput.hasPrefix("FeatherDemo: uploading failed. A file couldn't be read"))
      #expect(missing.errorLines.last?.hasPrefix(scratch.path("missing")) == true)
      #expect(!missing.errorOutput.contains("running?"))
      try Data("a".utf8).write(to: scratch.url.appendingPathComponent("a"))
      server.route(.put, "/sink", .status(413))
      let refused = try await DemoProcess(["upload", scratch.path("a"), "--to", server.url("/sink").absoluteString])
        .outcome()
      #expect(refused.status == 1)
      #expect(refused.errorOutput.contains("This is too large to send."))
    }

    @Test func barFillsAndIsErasedAtTheEnd() async throws {
      let terminal = try Pseudoterminal(columns: 50)
      let gate = LoopbackServer.Gate()
      server.route(
        .get, "/a",
        [
          .head(status: 200, headers: ["Content-Length": "200000"]), .body(Data(count: 100_000)), .wait(gate),
          .body(Data(count: 100_000)),
        ])
      let process = try DemoProcess(
        ["download", server.url("/a").absoluteString, scratch.path("a")], terminal: terminal.handle)
      #expect(try await terminal.wait { $0.text.contains(" 50%  100.0 kB of 200.0 kB") })
      gate.open()
      #expect(try await process.outcome().status == 0)
      let drawn = terminal.text.components(separatedBy: Terminal.eraseLine)
      #expect(drawn.last?.hasPrefix("Downloaded 200.0 kB to ") == true)
      #expect(drawn.dropLast().allSatisfy { $0.count < 50 && !$0.contains("\n") })
      #expect(drawn.contains { $0.hasPrefix("[====") })
    }

    @Test func anInterruptionErasesTheBar() async throws {
      let terminal = try Pseudoterminal(columns: 80)
      server.route(
        .get, "/a",
        [.head(status: 200, headers: ["Content-Length": "200000"]), .body(Data(count: 100_000)), .stall])
      let process = try DemoProcess(
        ["download", server.url("/a").absoluteString, scratch.path("a")], terminal: terminal.handle)
      #expect(try await terminal.wait { $0.text.contains(" 50% ") })
      process.interrupt()
      #expect(try await process.outcome().status == 130)
      #expect(terminal.text.hasSuffix(Terminal.eraseLine))
      #expect(scratch.names == [])
    }

    @Test func aTerminalThatCannotEraseGetsNoBar() async throws {
      let terminal = try Pseudoterminal()
      let process = try DemoProcess(
        ["download", "files/300k", scratch.path("a")], environment: ["TERM": "dumb"], terminal: terminal.handle)
      #expect(try await process.outcome().status == 0)
      #expect(terminal.text.hasPrefix("Downloaded 300.0 kB to "))
    }
  }
}
