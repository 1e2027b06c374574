@testable import WebServicesTesting
@testable import WebServicesTestSupport

@Suite struct CassetteTraitTests {
  private func numbers(_ session: any URLSessionProtocol, _ query: String = "") async throws -> [Int] {
    let configuration = WebServiceConfiguration(baseURL: URL(string: "https://h"))
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    return try await service.sendRequest(Request("numbers\(query)"), as: [Int].self)
  }

  @Test(.cassette("numbers", matching: .loose)) func exportOfABrowserIsReplayedInTheOrderOfItsStart() async throws {
    expectEqual(try await numbers(Cassette.session), [1, 2])
    expectEqual(try await numbers(Cassette.session), [3, 4])
  }

  @Test func sessionWithoutTheTraitNamesTheTrait() async {
    let error = await thrown { try await numbers(Cassette.session) }
    #expect("\(String(describing: error))".contains(#"add the trait .cassette("name") to the test"#))
  }

  @Test(arguments: [1, 2]) func testWithArgumentsGetsNoCassette(number: Int) async throws {
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    await #expect {
      try await CassetteTrait.cassette("numbers").provideScope(for: test, testCase: testCase) {}
    } throws: {
      "\($0)".contains("a test with arguments would use the file several times")
    }
  }

  @Test @MainActor func cassetteIsRecordedOnceAndThenReplayed() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)")
    let file = folder.appendingPathComponent("numbers.har")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mocks = [MockURLSession { _ in .json("[1]") }, MockURLSession { _ in .json("[1]") }]
    var sessions: [any URLSessionProtocol] = []
    func use(_ query: String..., failing: Bool = false) async throws {
      try await Cassette.use(file, live: { mocks[failing ? 0 : 1] }) { session in
        sessions.append(session)
        for query in query { expectEqual(try await numbers(session, query), [1]) }
        if failing { throw CassetteError.damaged("the test failed") }
      }
    }
    await #expect(throws: CassetteError.self) { try await use("?token=Zq7Xw9Kv2L", failing: true) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await use("?token=Zq7Xw9Kv2L", "?page=2")
    #expect(mocks[0].isInvalidated && mocks[1].isInvalidated)
    try await use("?token=another-one", "?page=2")
    expectEqual(mocks.map(\.requests.count), [1, 2])
    #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("Zq7Xw9Kv2L"))
    await #expect(throws: CassetteError.unused(["GET https://h/numbers?page=2"])) {
      try await use("?token=another-one")
    }
    try await Cassette.use(file, matching: .loose, live: { mocks[1] }) { session in
      expectEqual(try await numbers(session), [1])
    }
    await thrown { try await use("?page=3") }
    // The session of a test ends with the test.
    for session in sessions {
      #expect("\(String(describing: await thrown { try await numbers(session) }))".contains("invalidated"))
    }
    let blocked = file.appendingPathComponent("folder/numbers.har")
    await #expect(throws: CassetteError.self) { try await Cassette.use(blocked, live: { mocks[1] }) { _ in } }
  }

  /// A server ends the session of its configuration at each swap.
  @Test func cassetteOutlivesTheSwapsOfAServer() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let mock = MockURLSession { _ in .json("[1]") }
    for _ in ["recording", "replay"] {
      try await Cassette.use(file, live: { mock }) { session in
        let config = Server.Config(
          base: URL(string: "https://h"), session: { session }, reachability: FakeReachability())
        let server = Server(with: config)
        for _ in 0..<2 {
          expectEqual(try await server.request(type: .get, path: "numbers", take: .json([Int].self)), [1])
          server.set(config)
        }
      }
    }
    expectEqual(mock.requests.count, 2)
    #expect(mock.isInvalidated)
  }

  @Test func responseWithoutItsBodyIsAFailureWithTheReason() async throws {
    let content = #""content":{"size":5,"mimeType":"application/json"}"#
    let entry = #"{"request":{"method":"GET","url":"https://h/numbers"},"response":{"status":200,\#(content)}}"#
    let session = ReplayingSession(try Cassette(data: Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8)), matching: .loose)
    let error = await thrown { try await numbers(session) }
    #expect("\(String(describing: error))".contains("export it again with the content"))
  }

  @Test func exportIsComparedAndReportedWithoutItsSecrets() async throws {
    let exchange = Cassette.Exchange(
      request: Cassette.Request(url: "https://h/numbers?token=abc-def-123", headers: ["Accept": "application/json"]),
      response: Cassette.Response(status: 200, body: .text("[1]")))
    let session = ReplayingSession(Cassette(exchanges: [exchange]))
    let error = await thrown { try await numbers(session, "?page=1") }
    #expect(!"\(String(describing: error))".contains("abc-def-123"))
    expectEqual(try await numbers(session, "?token=other"), [1])
  }
}
