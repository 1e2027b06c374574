@testable import WebServicesTestSupport

@testable import FeatherDemo

/// The demo with a server that the test controls.
@Suite(.serialized) struct OtherServerTests {
  private static let token = "secret-token-4711"
  private static let password = "hunter2-password"
  private let server: LoopbackServer
  private let scratch: TemporaryFolder

  init() throws {
    server = try LoopbackServer()
    scratch = try TemporaryFolder()
    server.route(.post, "/authenticate", .json(#"{"apiToken": "\#(Self.token)", "secondsRemaining": 30}"#))
    server.route(.post, "/renew", .json(#"{"apiToken": "renewed", "secondsRemaining": 600}"#))
    server.route(
      .get, "/jokes/random",
      .json(#"{"type": "success", "value": [{"id": 7, "joke": "Ha\u001b[31m.", "categories": []}]}"#))
  }

  /// Runs the demo with a password from the environment, and checks that no secret is printed.
  private func run(_ words: [String]) async throws -> DemoProcess.Outcome {
    let outcome = try await DemoProcess(words, environment: ["FEATHER_PASSWORD": Self.password]).outcome()
    for secret in [Self.token, Self.password, "\u{1B}"] { #expect(!outcome.everything.contains(secret)) }
    return outcome
  }

  private func signedIn(_ words: String...) async throws -> DemoProcess.Outcome {
    try await run(words + ["--user", "ann", "--base-url", server.baseURL.absoluteString])
  }

  @Test func tokenThatIsAboutToExpireIsRenewedFirst() async throws {
    let outcome = try await signedIn("--verbose", "--count", "5")
    expectEqual(outcome.output, "Signed in as ann for 30 seconds.\n1. Ha\u{FFFD}[31m.\n")
    #expect(server.requests.map(\.path) == ["/authenticate", "/renew", "/jokes/random"])
    #expect(server.requests.map { $0.headers["api-token"] } == [nil, Self.token, "renewed"])
    expectEqual(server.requests.first?.text.contains(Self.password), true)
  }

  @Test func brokenServerIsExplained() async throws {
    let echo = #"{"userId": "ann", "error": "\#(Self.password) is wrong"}"#
    let responses: [(LoopbackServer.Response, String)] = [
      (.json(echo, status: 500), "The service has a problem (500)."), (.json(echo, status: 401), "sign-in was refused"),
      (.text("garbage"), "couldn't be read"), (.json(#"{"apiToken": "\#(Self.token)"}"#), "couldn't be read"),
      (["garbage\r\n\r\n", .close], " failed. "), ([.reset], "lost"),
    ]
    for (response, words) in responses {
      server.route(.post, "/authenticate", response)
      let outcome = try await signedIn("signin")
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errorOutput.contains("FeatherDemo: signing in failed. "))
      #expect(outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
    }
  }

  @Test func refusedLoginIsExplainedInTheServersWordsOrTheDemos() async throws {
    let echo = #"{"message": "\#(Self.password) is wrong", "code": 17}"#
    let responses: [(LoopbackServer.Response, String)] = [
      (.json(echo, status: 401), "The service says: <redacted> is wrong (17)\nCheck the user (--user)"),
      (.status(503), "The service has a problem (503)."), (.text("no", status: 404), "the right address?"),
    ]
    for (response, words) in responses {
      server.route(.post, "/menu/login", response)
      let outcome = try await signedIn("menu")
      #expect(outcome.status == 1 && outcome.errorOutput.contains(words), "\(outcome.errorOutput)")
    }
  }

  @Test func refusedStreamIsNoBrokenConnection() async throws {
    server.route(.get, "/events", .status(403))
    let outcome = try await run(["watch", "--base-url", server.baseURL.absoluteString])
    #expect(outcome.status == 1 && outcome.errorOutput.hasPrefix("FeatherDemo: watching events failed. "))
  }

  @Test func unreachableServerIsExplained() async throws {
    let address = "http://127.0.0.1:\(try ClosedPort().number)"
    try Data("a".utf8).write(to: scratch.url.appendingPathComponent("a"))
    let commands = [
      [], ["signin"], ["jokes"], ["cities"], ["account"], ["photo", "7"], ["menu"], ["watch"],
    ].map { $0 + ["--base-url", address] }
    let targets = [
      ["request", "GET", address + "/a?token=\(Self.token)"], ["download", address + "/a", scratch.path("b")],
      ["upload", scratch.path("a"), "--to", address + "/a"],
    ]
    for words in commands + targets {
      let outcome = try await run(words)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errorOutput.contains("The service couldn't be reached."), "\(words): \(outcome.errorOutput)")
      #expect(outcome.errorOutput.contains("Is the server at \(address)"))
    }
    expectEqual(scratch.names, ["a"])
  }

  @Test func ignoredSignalsStayIgnored() async throws {
    server.route(.post, "/authenticate", [.never])
    // A shell starts a program so behind `nohup`, and in the background of a script.
    let process = try DemoProcess(
      ["signin", "--base-url", server.baseURL.absoluteString], script: #"trap '' HUP INT; exec "$0" "$@""#)
    expectEqual(await server.waitForRequests().count, 1)
    for number in [SIGHUP, SIGINT, SIGTERM] { process.send(number) }
    expectEqual(try await process.outcome().status, 128 + SIGTERM)
  }

  // MARK: request

  @Test func contentGoesToOutputAndTheHeadToErrorOutput() async throws {
    server.route(.get, "/a", .json(#"{"z":1.10}"#, headers: ["Set-Cookie": Self.token]))
    server.route(.get, "/b", .text("gone", status: 404))
    let found = try await run(["request", "get", server.url("/a").absoluteString])
    #expect(found.status == 0 && found.output == #"{"z":1.10}"#)
    #expect(found.errorOutput.hasPrefix("HTTP/1.1 200\n") && found.errorOutput.contains("Set-Cookie: <redacted>\n"))
    #expect(found.errorOutput.hasSuffix(" ms over a new connection, 10 bytes received\n\n"))
    let missing = try await run(["request", "GET", server.url("/b").absoluteString])
    #expect(missing.status == 1 && missing.output == "gone")
    let json = try await run(["request", "GET", server.url("/b").absoluteString, "--json"])
    #expect(json.output.hasPrefix(#"{"body":"gone","headers":{"#) && json.output.hasSuffix("\"status\":404}\n"))
  }

  @Test func fieldsAndContentAreSent() async throws {
    server.route(nil, "/a", .status(204))
    try Data("from a file".utf8).write(to: scratch.url.appendingPathComponent("a.txt"))
    for (options, text, type) in [
      (["--data", "a=b"], "a=b", "application/x-www-form-urlencoded"),
      (["--data", "@" + scratch.path("a.txt")], "from a file", "text/plain"),
      (["--data", #"{"a": 1.0}"#], #"{"a": 1.0}"#, "application/json"),
      (["--data", "x", "--header", "Content-Type: text/x"], "x", "text/x"),
    ] {
      let words = ["request", "patch", server.url("/a").absoluteString, "--header", "X-Note: ü"] + options
      expectEqual(try await run(words).status, 0)
      let request = try #require(server.requests.last)
      #expect(request.method == .patch && request.text == text)
      #expect(request.headers["Content-Type"] == type && request.headers["X-Note"] == "ü")
    }
  }

  @Test func contentIsWrittenToARegularFileAlone() async throws {
    let bytes = Data([0, 1, 0xFF, 0x0D, 0x0A])
    server.route(.get, "/a", .data(bytes))
    expectEqual(mkfifo(scratch.path("pipe"), 0o600), 0)
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: scratch.path("none"))
    let words = ["request", "GET", server.url("/a").absoluteString, "--output"]
    for name in ["pipe", "link"] {
      let outcome = try await run(words + [scratch.path(name)])
      #expect(outcome.status == 1 && outcome.errorOutput.contains("\(scratch.path(name)) isn't a regular file"))
    }
    #expect(server.requests.isEmpty)
    expectEqual(try await run(words + [scratch.path("b")]).status, 0)
    expectEqual(try scratch.content("b"), bytes)
    let nowhere = try await run(words + [scratch.path("c/d")])
    #expect(nowhere.status == 1 && nowhere.errorOutput.contains("can't be written to \(scratch.path("c/d"))"))
    expectEqual(scratch.names, ["b", "link", "pipe"])
  }

  @Test func curlLineIsPrintedAndNothingSent() async throws {
    let address = server.url("/a").absoluteString + "?token=\(Self.token)"
    let outcome = try await run(
      ["request", "POST", address, "--curl", "--header", "Authorization: Bearer \(Self.token)", "--data", "b"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("curl \\\n  --request POST \\\n"))
    #expect(outcome.output.contains("/a?token=<redacted>") && server.requests.isEmpty)
  }

  // MARK: Files

  @Test func downloadIsResumedAfterAnInterruption() async throws {
    let gate = LoopbackServer.Gate()
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let fields: HTTPHeaders = ["ETag": "\"1\"", "Content-Length": "200000", "Accept-Ranges": "bytes"]
    server.route(.get, "/a", [.head(status: 200, headers: fields), .body(content.prefix(100_000)), .wait(gate)])
    let words = ["download", server.url("/a").absoluteString, scratch.path("a")]
    let process = try DemoProcess(words)
    #expect(
      try await isMet { try scratch.names.contains { try $0.hasSuffix(".partial") && !scratch.content($0).isEmpty } })
    process.interrupt()
    let interrupted = try await process.outcome()
    expectEqual(interrupted.status, 130)
    expectEqual(interrupted.everything, "Interrupted while downloading.\n")
    #expect(!scratch.names.contains("a"))
    server.route(.get, "/a") { request in
      let first = request.headers["Range"].flatMap { HTTPHeaders.ByteRange($0) }.map { "\($0)" } ?? ""
      let offset = Int(first.dropFirst("bytes=".count).dropLast()) ?? 0
      return .data(
        content.dropFirst(offset), status: offset > 0 ? 206 : 200,
        headers: ["ETag": "\"1\"", "Content-Range": "bytes \(offset)-199999/200000"])
    }
    expectEqual(try await run(words).status, 0)
    expectEqual(try scratch.content("a"), content)
    expectEqual(scratch.names, ["a"])
    #expect(server.requests.last?.headers["Range"] != nil)
  }

  @Test func filesAreTransferredAndFailuresNameThem() async throws {
    let down = try await run(["download", "files/300k?break=100k", scratch.path("a")])
    #expect(down.status == 0 && down.output.hasPrefix("Downloaded 300.0 kB to \(scratch.path("a")) at "))
    server.route(.put, "/sink", .status(201))
    let up = try await run(["upload", scratch.path("a"), "--to", server.url("/sink").absoluteString])
    #expect(up.status == 0 && up.output.hasPrefix("Uploaded 300.0 kB from "))
    expectEqual(server.requests.last?.body, try scratch.content("a"))
    for (words, reason) in [
      (["upload", scratch.path("missing")], "the file missing doesn't exist"),
      (["download", "files/5", scratch.path("b/c")], "No such file or directory"),
    ] {
      let outcome = try await run(words)
      #expect(outcome.status == 1 && outcome.errorOutput.contains("A file couldn't be read or written.\nThe reason: "))
      #expect(outcome.errorOutput.contains(reason), "\(outcome.errorOutput)")
    }
    expectEqual(scratch.names, ["a"])
  }
}
