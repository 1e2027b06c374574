@testable import WebServicesTestSupport

@testable import FeatherDemo

/// The demo on a terminal.
@Suite(.serialized) struct TerminalTests {
  private let terminal: Pseudoterminal

  init() throws { terminal = try Pseudoterminal(columns: 60) }

  private func start(_ words: String..., environment: [String: String] = [:]) throws -> DemoProcess {
    try DemoProcess(words, environment: environment, terminal: terminal)
  }

  @Test func statusLineIsErasedAtTheEnd() async throws {
    expectEqual(try await start("signin").outcome().status, 0)
    #expect(terminal.text.hasPrefix("\r\u{1B}[K| Signing in..."))
    #expect(terminal.text.hasSuffix("\r\u{1B}[KSigned in as demo for 10 minutes.\r\n"))
  }

  @Test func dumbTerminalGetsNoControls() async throws {
    expectEqual(try await start("signin", environment: ["TERM": "dumb"]).outcome().status, 0)
    expectEqual(terminal.text, "Signed in as demo for 10 minutes.\r\n")
  }

  @Test func logHasNoStatusLineInIt() async throws {
    expectEqual(try await start("signin", "--verbose").outcome().status, 0)
    #expect(terminal.text.hasPrefix("session chosen ") && !terminal.text.contains(Terminal.eraseLine))
  }

  @Test func failureIsRedUnlessColoursAreOff() async throws {
    expectEqual(try await start("joke").outcome().status, 64)
    #expect(terminal.text.hasPrefix("\u{1B}[31mFeatherDemo: there is no command"))
    let plain = try Pseudoterminal()
    let process = try DemoProcess(["joke"], environment: ["NO_COLOR": "1"], terminal: plain)
    expectEqual(try await process.outcome().status, 64)
    #expect(plain.text.hasPrefix("FeatherDemo: there is no command"))
  }

  @Test func interruptionSaysWhatItEnded() async throws {
    let server = try LoopbackServer()
    server.route(nil, "/*", [.never])
    for (words, step) in [
      (["signin"], "signing in"), ([], "signing in"), (["request", "get", "a"], "sending the request"),
    ] {
      let terminal = try Pseudoterminal()
      let process = try DemoProcess(words + ["--base-url", server.baseURL.absoluteString], terminal: terminal)
      #expect(try await isMet { terminal.text.contains("/ S\(step.dropFirst())...") })
      process.interrupt()
      expectEqual(try await process.outcome().status, 130)
      #expect(terminal.text.contains("\(Terminal.eraseLine)Interrupted while \(step).\r\n"))
      #expect(terminal.text.hasSuffix("\r\n") || terminal.text.hasSuffix(Terminal.eraseLine))
    }
  }

  @Test func contentOfAServerDoesNotControlTheTerminal() async throws {
    let server = try LoopbackServer()
    for (content, shown) in [
      ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb\r\n"), ("\0\u{1B}[2J", "5 bytes of binary content: use --output FILE.\r\n"),
    ] {
      server.route(.get, "/", .text(content))
      let terminal = try Pseudoterminal()
      let words = ["request", "get", server.url("/").absoluteString]
      expectEqual(try await DemoProcess(words, terminal: terminal).outcome().status, 0)
      #expect(terminal.text.hasSuffix(shown), "\(terminal.text)")
    }
  }

  @Test func progressIsShownWithinTheWidth() async throws {
    let server = try LoopbackServer()
    let scratch = try TemporaryFolder()
    let gate = LoopbackServer.Gate()
    server.route(
      .get, "/a",
      [
        .head(status: 200, headers: ["Content-Length": "200000"]), .body(Data(count: 100_000)), .wait(gate),
        .body(Data(count: 100_000)),
      ])
    let process = try start("download", server.url("/a").absoluteString, scratch.path("a"))
    #expect(try await isMet { terminal.text.contains("downloading: 50%, 100.0 kB of 200.0 kB") })
    gate.open()
    expectEqual(try await process.outcome().status, 0)
    let drawn = terminal.text.components(separatedBy: Terminal.eraseLine)
    #expect(drawn.dropLast().allSatisfy { $0.count < 60 && !$0.contains("\n") })
  }
}
