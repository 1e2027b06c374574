@testable import WebServicesTestSupport

@Suite struct CurlCommandTests {
  private func request(
    _ method: HTTPMethod = .get, _ url: String = "https://h/p", headers: HTTPHeaders = [:], body: TransportBody = .none
  ) throws -> TransportRequest {
    TransportRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
  }

  @Test func jsonBodyStaysReadableInTheCommand() throws {
    let request = try request(
      .post, headers: ["Content-Type": "application/json", "X-Empty": " ", "api-token": "abcdef"],
      body: .data(Data(#"{"name":"O'Neil","password":"hunter22"}"#.utf8)))
    expectEqual(
      CurlCommand(request).description,
      #"""
      curl \
        --request POST \
        --header 'Content-Type: application/json' \
        --header 'X-Empty;' \
        --header 'api-token: <redacted>' \
        --data-raw '{"name":"O'\''Neil","password":"<redacted>"}' \
        --url https://h/p
      """#)
    let revealed = CurlCommand(request).revealingSecrets()
    #expect(revealed.contains("hunter22"))
    #expect(revealed.contains("api-token: abcdef"))
  }

  /// Values below four bytes are hidden in their fields alone.
  @Test func shortSecretOfAFieldIsHidden() throws {
    let command = CurlCommand(try request(headers: ["api-token": "abc"])).description
    #expect(command.contains("--header 'api-token: <redacted>'"))
  }

  @Test func secretInThePathOfAFileIsHidden() throws {
    let file = TransportBody.file(URL(fileURLWithPath: "/users/hunter22/photo"))
    let command = CurlCommand(try request(.put, headers: ["api-token": "hunter22"], body: file)).description
    #expect(command.contains("--data-binary '@/users/<redacted>/photo'"))
  }

  @Test func omittedPartsAreNamedInComments() throws {
    let large = Data(repeating: 65, count: CurlCommand.bodyLimit + 1)
    let cases: [(request: TransportRequest, comment: String)] = [
      (try request(.put, body: .stream(PieceStream(["abc"]))), "# The body is a stream, which is left out.\ncurl"),
      (try request(.put, body: .data(large)), "# The body of 65537 bytes is too large"),
      (try request(.put, body: .data(Data([0, 1, 2]))), "# The body of 3 bytes is no text"),
      (
        try request(.put, headers: ["Content-Encoding": "gzip"], body: .data(Data("abc".utf8))), "# The body of 3 bytes"
      ),
    ]
    for (index, (request, comment)) in cases.enumerated() {
      #expect(CurlCommand(request).description.hasPrefix(comment))
      expectEqual(CurlCommand(request).revealingSecrets().contains("#"), index < 2)
    }
    let injected = try request(HTTPMethod(rawValue: "a b"), headers: ["@/etc/passwd": "x", "A": "b\r\nc"])
    let lines = CurlCommand(injected).description
    #expect(lines.contains("invalid header field") && !lines.contains("passwd") && !lines.contains("--request"))
  }

  @Test(arguments: [false, true])
  func noControlCharacterIsInTheCommand(isRevealing: Bool) throws {
    let text = "a\u{9B}31m\u{202E}b!"
    let requests = try [
      request(.put, headers: ["X-A": text], body: .data(Data((text + "\u{1B}").utf8))),
      request(.put, body: .file(URL(fileURLWithPath: "/data/\u{1B}\(text)"))),
    ]
    for request in requests {
      let command = isRevealing ? CurlCommand(request).revealingSecrets() : CurlCommand(request).description
      #expect(!command.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
      #expect(!command.unicodeScalars.contains("\u{202E}"))
      // The command sends the same bytes nevertheless.
      #expect(command.contains(#"a\302\23331m\342\200\256b"#))
      // An interactive shell may expand the mark, because the substitution stands between quotation marks.
      #expect(!command.contains("!"))
    }
  }

  @Test func specialRequestsGetTheirOptions() throws {
    expectEqual(try CurlCommand(request(.head)).description, "curl \\\n  --head \\\n  --url https://h/p")
    for method in [HTTPMethod.post, .put, .patch] {
      // Without data cURL would send no length, and a server may respond with 411.
      let lines = try CurlCommand(request(method)).description
      #expect(lines.contains("--data-raw '' \\\n  --header Content-Type: \\\n"), "\(lines)")
    }
    #expect(try !CurlCommand(request(.delete)).description.contains("--data"))
    #expect(try CurlCommand(request(.get, "https://[::1]/p")).description.contains("--globoff"))
    #expect(try CurlCommand(request(.get, "https://h/a/../b")).description.contains("--path-as-is"))
    #expect(try CurlCommand(request(headers: ["Accept-Encoding": "gzip"])).description.contains("--compressed"))
    #expect(try !CurlCommand(request(.put, headers: ["content-length": "9"])).revealingSecrets().contains("9"))
    let file = try request(.put, body: .file(URL(fileURLWithPath: "/data/my file")))
    #expect(CurlCommand(file).description.contains("--data-binary '@/data/my file'"))
    #expect(CurlCommand(file).description.contains("--header Content-Type:"))
    #expect(!CurlCommand(file).revealingSecrets().contains("-k"))
    let lines = try CurlCommand(request(.put, body: .data(Data("a\nb".utf8)))).description
    #expect(lines.contains("--data-raw 'a\nb'"), "\(lines)")
    for (count, isIncluded) in [(CurlCommand.bodyLimit, true), (CurlCommand.bodyLimit + 1, false)] {
      let large = try CurlCommand(request(.put, body: .data(Data(repeating: 0x61, count: count)))).description
      expectEqual(large.contains("--data-raw"), isIncluded)
    }
    // Some Foundations drop the byte order mark of a text.
    let marked = try CurlCommand(request(.put, body: .data(Data("\u{FEFF}abc".utf8)))).revealingSecrets()
    #expect(marked.contains(#"\357\273\277abc"#) || marked.contains("'\u{FEFF}abc'"))
  }

  @Test(arguments: ["/bin/sh", "/bin/bash"].filter(FileManager.default.isExecutableFile))
  func shellUnderstandsAnyBytes(path: String) async throws {
    var generator = Chance(seed: 7)
    // A word that a shell makes of such text would lack the line feed at its end.
    let controls = try request(.put, body: .data(Data("\u{1B}\n".utf8)))
    let requests = try (0..<120).map { _ in try randomRequest(&generator) } + [controls]
    let calls = try await Shell(path: path).calls(requests.map { CurlCommand($0).revealingSecrets() })
    expectEqual(calls.count, requests.count)
    for (request, call) in zip(requests, calls) {
      expectEqual(call.value(of: "--url"), Data(request.url.absoluteString.utf8))
      expectEqual(call.value(of: "--request"), Data(request.method.rawValue.utf8))
      let lines = request.headers.map { Data(($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)").utf8) }
      expectEqual(call.values(of: "--header").filter { $0 != Data("Content-Type:".utf8) }, lines)
      guard case .data(let body) = request.body else { continue }
      expectEqual((call.value(of: "--data-raw") ?? call.input), body)
      expectEqual((call.value(of: "--data-raw") == nil), (call.value(of: "--data-binary") == Data("@-".utf8)))
    }
  }

  private func randomRequest(_ generator: inout Chance) throws -> TransportRequest {
    func pick(_ characters: String, _ count: Int) -> String {
      let all = Array(characters)
      return String((0..<count).map { _ in all[Int.random(in: 0..<all.count, using: &generator)] })
    }
    let printable = String((0x21...0x7E).map { Character(Unicode.Scalar($0)) })
    var headers = HTTPHeaders()
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let inner = pick(printable + " \tä€\u{9B}\u{202E}'\u{301}", Int.random(in: 0...20, using: &generator))
      headers.add(name: pick("!#$%&'*+-.^_`|~aZ9", 4), value: inner.trimmingCharacters(in: .whitespaces))
    }
    let target = pick("abc/'$()*!&=;,~%41", 20).replacingOccurrences(of: "%", with: "%25")
    let special: [UInt8] = Array("'\\%\n\r\t\"$`!#;&@-~ \u{0}".utf8) + [0xFF, 0x80, 0xC3, 0x1B]
    let body = (0..<Int.random(in: 0...60, using: &generator)).map { _ -> UInt8 in
      Bool.random(using: &generator)
        ? special[Int.random(in: 0..<special.count, using: &generator)] : UInt8.random(in: 0...255, using: &generator)
    }
    let text = pick(printable + "\n äöü€😀'\u{301}", 40)
    let content =
      Bool.random(using: &generator)
      ? Data(body) : Data((Bool.random(using: &generator) ? "@" : "").utf8) + Data(text.utf8)
    return try request(
      HTTPMethod(rawValue: pick("!#$%&'*+-.^_`|~aZ9", 5)), "https://h/p/\(target)?q=\(target)", headers: headers,
      body: .data(content))
  }
}

/// Runs command lines with a function `curl` that records its arguments and its input.
private struct Shell {
  struct Call {
    var arguments: [Data]
    var input: Data

    func values(of option: String) -> [Data] {
      arguments.indices.dropLast().filter { arguments[$0] == Data(option.utf8) }.map { arguments[$0 + 1] }
    }

    func value(of option: String) -> Data? { values(of: option).first }
  }

  let path: String

  func calls(_ commands: [String]) async throws -> [Call] {
    let folder = try TemporaryFolder()
    let directory = folder.url
    let function = #"curl() { printf '%s\0' "$@" >"$OUT.arguments"; cat >"$OUT.input"; }"#
    let lines = commands.enumerated().map { "OUT='\(directory.path)/\($0)'\n\($1)" }
    let script = directory.appendingPathComponent("script")
    try Data(([function] + lines).joined(separator: "\n").utf8).write(to: script)
    _ = try await EndedProcess.run(URL(fileURLWithPath: path), [script.path])
    return try commands.indices.map { index in
      let arguments = try Data(contentsOf: directory.appendingPathComponent("\(index).arguments"))
      return Call(
        arguments: arguments.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Data($0) },
        input: try Data(contentsOf: directory.appendingPathComponent("\(index).input")))
    }
  }
}
