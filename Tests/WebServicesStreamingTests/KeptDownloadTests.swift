@testable import WebServicesTestSupport

/// Downloads that continue after a launch of the app. A new call stands for a launch: the call knows only what is
/// on the disk.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct KeptDownloadTests {
  private let data = HalfFile.data
  private let half = HalfFile.half

  private func request(
    _ path: String = "file", account: String? = nil, headers: HTTPHeaders = [:],
    authorization: WebServiceAuthorizationType = .none
  ) -> TestRequest {
    TestRequest(
      path: path, headers: headers, authorization: authorization,
      options: RequestOptions { $0.partialDownload = .kept(account: account) })
  }

  /// A harness with the first half of a file beside the target, as an earlier launch has left it.
  private func begun(_ kind: TransportKind = TransportKind.own[0], _ request: TestRequest) async throws -> SocketHarness
  {
    let harness = try SocketHarness(kind) { $0.retry.backoff = RetryPolicy.Backoff(base: 0) }
    harness.server.script(.get, "/file", [HalfFile.broken(), .status(503)])
    expectEqual(await harness.downloadError(of: request)?.kind, .statusCode(503))
    expectEqual(harness.names.map { ($0 as NSString).pathExtension }, ["partial", "resume"])
    return harness
  }

  private func file(_ ending: String, _ harness: SocketHarness) throws -> URL {
    harness.folder.appendingPathComponent(try #require(harness.names.first { $0.hasSuffix(ending) }))
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func resumedDownloadRequestsTheRestAndReturnsTheWholeResponse(_ kind: TransportKind) async throws {
    let harness = try await begun(kind, request())
    harness.server.route(.get, "/file", HalfFile.rest())
    let response = try await harness.service.download(request(), to: harness.target)
    #expect(harness.content == data && harness.names == ["target"])
    expectEqual(harness.ranges, [nil, "bytes=\(half)-", "bytes=\(half)-"])
    expectEqual(harness.server.requests.last?.headers["If-Range"], "\"v1\"")
    #expect(response.statusCode == 200 && response.headers["Content-Length"] == "\(data.count)")
    expectEqual(response.headers["Content-Range"], nil)
  }

  @Test func linkOrPipeInPlaceOfTheKeptBytesIsRefused() async throws {
    let harness = try await begun(.own[0], request())
    let (partial, elsewhere) = (try file(".partial", harness), harness.folder.appendingPathComponent("elsewhere"))
    try FileManager.default.moveItem(at: partial, to: elsewhere)
    for make in [{ symlink($1, $0) }, { path, _ in mkfifo(path, 0o600) }] as [(String, String) -> Int32] {
      expectEqual(make(partial.path, elsewhere.path), 0)
      expectEqual(await harness.downloadError(of: request())?.kind, .file)
      expectEqual(unlink(partial.path), 0)
    }
    expectEqual(try Data(contentsOf: elsewhere), data.prefix(half))
  }

  /// Another user could change the file even after it has become the target. Only root can give a file away.
  @Test(.enabled(if: geteuid() == 0)) func fileOfAnotherUserInPlaceOfTheKeptBytesIsRefused() async throws {
    let harness = try await begun(.own[0], request())
    expectEqual(chown(try file(".partial", harness).path, 1, 1), 0)
    expectEqual(await harness.downloadError(of: request())?.kind, .file)
  }

  @Test func bytesWithoutAVersionAreNotKeptAsThoseOfTheEarlierOne() async throws {
    let harness = try await begun(.own[0], request())
    harness.server.route(.get, "/file", HalfFile.broken([:]))
    #expect(await harness.downloadError(of: request()) != nil)
    expectEqual(harness.names, [])
  }

  #if os(Linux)
    @Test func bytesOfContentThatCannotBeDecodedAreNotKept() async throws {
      let harness = try SocketHarness(.own[0])
      var gzip = Compression.gzip(data)
      gzip[gzip.count - 8] ^= 1
      harness.server.route(.get, "/file", .encoded(gzip, as: "gzip", headers: ["ETag": "\"v1\""]))
      expectEqual(await harness.downloadError(of: request())?.kind, .sessionFailure)
      expectEqual(harness.names, [])
    }
  #endif

  @Test func aRequestWithCredentialsNeedsAnAccount() async throws {
    let harness = try SocketHarness(.own[0])
    let error = await harness.downloadError(of: request(authorization: .bearer))
    #expect(error?.kind == .invalidRequest && error?.message.contains("partialDownload") == true)
    #expect(harness.server.requestCount == 0 && harness.names.isEmpty)
  }

  @Test func aRequestWithCookiesNeedsAnAccount() async throws {
    let harness = try SocketHarness(.own[0]) { $0.layers = [.cookies(CookieJar())] }
    expectEqual(await harness.downloadError(of: request())?.kind, .invalidRequest)
    harness.server.route(.get, "/file", .data(data))
    expectEqual(await harness.downloadError(of: request(account: "1")), nil)
  }

  /// The bytes of a POST belong to its body, which another download may not have.
  @Test func bytesOfAPostAreDeleted() async throws {
    let harness = try SocketHarness(.own[0])
    harness.server.route(.post, "/file", HalfFile.broken())
    var request = request()
    request.method = .post
    #expect(await harness.downloadError(of: request) != nil)
    expectEqual(harness.names, [])
  }

  @Test func folderMayBeOpenToOthersAndBelongToAnotherUser() async throws {
    let harness = try await begun(.own[0], request())
    expectEqual(chmod(harness.folder.path, 0o755), 0)
    // Only root can give a folder away.
    if geteuid() == 0 { expectEqual(chown(harness.folder.path, 12_345, .max), 0) }
    harness.server.route(.get, "/file", HalfFile.rest())
    expectEqual(await harness.downloadError(of: request()), nil)
    expectEqual(harness.ranges.last, "bytes=\(half)-")
    let mode = try FileManager.default.attributesOfItem(atPath: harness.folder.path)[.posixPermissions] as? Int
    expectEqual(mode, 0o755)
  }

  @Test(arguments: [404, 410, 416])
  func statusOfAFileThatIsGoneRemovesThePartialFile(_ status: Int) async throws {
    let harness = try await begun(.own[0], request())
    harness.server.route(.get, "/file", .status(status))
    expectEqual(await harness.downloadError(of: request())?.kind, .statusCode(status))
    #expect(harness.names.isEmpty)
  }

  @Test func aLinkInThePlaceOfTheHiddenFileIsRefused() async throws {
    let harness = try await begun(.own[0], request())
    let partial = try file(".partial", harness)
    let victim = harness.folder.appendingPathComponent("victim")
    try Data("precious".utf8).write(to: victim)
    try FileManager.default.removeItem(at: partial)
    try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: victim)
    expectEqual(await harness.downloadError(of: request())?.kind, .file)
    expectEqual(try Data(contentsOf: victim), Data("precious".utf8))
    try FileManager.default.removeItem(at: victim)
    expectEqual(await harness.downloadError(of: request())?.kind, .file)
    #expect(!FileManager.default.fileExists(atPath: victim.path))
  }

  /// A harness with a kept download that waits two seconds before it requests the second half.
  private func paused(
    _ request: TestRequest, tokenManager: any WebServiceTokenManageable = FakeTokenManager()
  ) async throws -> (SocketHarness, WebServiceTask, Collector<Result<WebServiceResponse, WebServiceError>>) {
    let harness = try SocketHarness(.own[0], tokenManager: tokenManager) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: 2)
      configuration.random = .fixed(1)
    }
    harness.server.script(.get, "/file", [HalfFile.broken()])
    let (task, results) = harness.download(request)
    await harness.clock.waitForTimer(after: 2)
    return (harness, task, results)
  }

  @Test func aSecondDownloadIsRefusedInThePauseOfTheFirst() async throws {
    let (harness, _, results) = try await paused(request())
    harness.server.route(.get, "/file", HalfFile.rest())
    let error = await harness.downloadError(of: request())
    #expect(error?.kind == .file && error?.description.contains("another download to the same file") == true)
    harness.clock.advance(by: 2)
    await results.waitForElements(1)
    #expect(results.elements.first?.failure == nil && harness.content == data && harness.names == ["target"])
    expectEqual(harness.ranges, [nil, "bytes=\(half)-"])
  }

  @Test func cancelledDownloadIsKeptAndUnlocked() async throws {
    let (harness, task, results) = try await paused(request())
    let partial = try file(".partial", harness).path
    let copies = descriptorCopies(ofFile: partial)
    defer { copies.forEach { close($0) } }
    task.cancel()
    expectEqual(await results.elements(1).first?.failure?.kind, .cancelled)
    expectEqual(harness.names.count, 2)
    harness.server.route(.get, "/file", HalfFile.rest())
    expectEqual(await harness.downloadError(of: request()), nil)
  }

  @Test func aFileThatAnotherProcessHasLockedIsLeftAlone() async throws {
    let harness = try await begun(.own[0], request())
    let other = try FileHandle(forReadingFrom: file(".partial", harness))
    // A lock belongs to a descriptor that was opened, so it makes no difference which process has it.
    expectEqual(flock(other.fileDescriptor, LOCK_EX | LOCK_NB), 0)
    expectEqual(await harness.downloadError(of: request())?.kind, .file)
    #expect(try other.readToEnd() == data.prefix(half) && harness.names.count == 2)
    // Closing isn't enough: a process that another test has just started may have a copy of the descriptor.
    flock(other.fileDescriptor, LOCK_UN)
    try other.close()
    harness.server.route(.get, "/file", HalfFile.rest())
    expectEqual(await harness.downloadError(of: request()), nil)
  }

  @Test func signOutInThePauseRemovesTheUsersPartialFile() async throws {
    let manager = BasicAuthManager(clock: VirtualClock())
    manager.update(apiToken: "first", secondsRemaining: 10_000)
    let (harness, _, results) = try await paused(request(account: "1", authorization: .bearer), tokenManager: manager)
    manager.clear()
    expectEqual(await results.elements(1).first?.failure?.kind, .cancelled)
    #expect(harness.names.isEmpty)
  }

  /// The user is still signed in.
  @Test func shutdownInThePauseKeepsTheBytes() async throws {
    let (harness, _, results) = try await paused(request(account: "1", authorization: .bearer))
    harness.service.invalidateAndCancel()
    expectEqual(await results.elements(1).first?.failure?.kind, .cancelled)
    expectEqual(harness.names.count, 2)
  }

  @Test func aFileThatIsCutInThePauseIsDownloadedFromTheStart() async throws {
    let (harness, _, results) = try await paused(request())
    harness.server.route(.get, "/file", .data(data))
    try FileHandle(forWritingTo: file(".partial", harness)).truncate(atOffset: 10)
    harness.clock.advance(by: 2)
    await results.waitForElements(1)
    #expect(results.elements.first?.failure == nil && harness.content == data)
    expectEqual(harness.ranges, [nil, nil])
  }

  @Test func aFileThatIsCutBeforeTheRestComesFailsTheDownload() async throws {
    let harness = try await begun(.own[0], request())
    let gate = LoopbackServer.Gate()
    let headers: HTTPHeaders = [
      "Content-Range": "bytes 150000-299999/300000", "Content-Length": "150000", "ETag": "\"v1\"",
    ]
    // The failure ends the transfer: neither the server nor a timeout ends it within the test's time.
    harness.server.route(
      .get, "/file", [.wait(gate), .head(status: 206, headers: headers), .body(data.suffix(1_000)), .never])
    var request = request()
    request.options.timeout = 600
    let results = harness.download(request).results
    await gate.waitUntilReached()
    try FileHandle(forWritingTo: file(".partial", harness)).truncate(atOffset: 10)
    gate.open()
    expectEqual(await results.elements(1).first?.failure?.kind, .file)
    expectEqual(harness.content, nil)
  }

  @Test func laterLaunchMayHaveAnotherTokenAndNameTheFolderByALink() async throws {
    let manager = BasicAuthManager(clock: VirtualClock())
    let harness = try SocketHarness(.own[0], tokenManager: manager) { $0.retry.backoff = RetryPolicy.Backoff(base: 0) }
    let link = harness.folder.deletingLastPathComponent().appendingPathComponent("link-\(UUID().uuidString)")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: harness.folder)
    defer { try? FileManager.default.removeItem(at: link) }
    harness.server.script(.get, "/file", [HalfFile.broken(), .status(503), HalfFile.rest()])
    for (token, kind) in [("first", .statusCode(503)), ("second", nil)] as [(String, WebServiceError.Kind?)] {
      manager.update(apiToken: token, secondsRemaining: 10_000)
      let place = link.appendingPathComponent("target")
      let results = harness.download(request(account: "1", authorization: .bearer), to: place).results
      expectEqual(await results.elements(1).first?.failure?.kind, kind)
    }
    #expect(harness.content == data && harness.names == ["target"])
    expectEqual(harness.ranges, [nil, "bytes=\(half)-", "bytes=\(half)-"])
  }

  /// Keeps the first half of a file, and expects that another launch doesn't continue after it.
  ///
  /// - Parameters:
  ///   - record: replaces the record of the first half.
  ///   - mode: replaces the permissions of the record.
  private func expectRestart(
    after first: TestRequest, with next: TestRequest, record: String? = nil, mode: mode_t? = nil
  ) async throws {
    let harness = try await begun(.own[0], first)
    if let record { try Data(record.utf8).write(to: file(".resume", harness)) }
    if let mode { expectEqual(chmod(try file(".resume", harness).path, mode), 0) }
    harness.server.route(.get, "/file", .text("other"))
    expectEqual(await harness.downloadError(of: next), nil)
    expectEqual(harness.server.requests.last?.headers["Range"], next.headers["Range"])
    #expect(harness.content == Data("other".utf8) && harness.names == ["target"])
  }

  @Test func otherAccountCredentialsURLRangeOrLanguageStartTheDownloadAgain() async throws {
    for other in [
      request(account: "2"), request(account: nil), request(account: "1", headers: ["Authorization": "Bearer b"]),
      request("file?page=2", account: "1"), request(account: "1", headers: ["Range": "bytes=0-4"]),
      request(account: "1", headers: ["Accept": "image/png"]),
      request(account: "1", headers: ["accept-language": "de"]), request(account: "1", authorization: .bearer("b")),
    ] {
      try await expectRestart(after: request(account: "1"), with: other)
    }
    try await expectRestart(after: request(), with: request(account: ""))
  }

  /// Kept bytes would get the same part in each launch.
  @Test func bytesThatGetAnotherPartAreNotKept() async throws {
    let harness = try await begun(.own[0], request())
    harness.server.route(.get, "/file", HalfFile.rest("bytes 0-149999/300000"))
    expectEqual(await harness.downloadError(of: request())?.kind, .sessionFailure)
    expectEqual(harness.names, [])
  }

  @Test func recordThatOthersMayWriteIsIgnored() async throws {
    try await expectRestart(after: request(), with: request(), mode: 0o622)
  }

  @Test func invalidResumeRecordIsIgnored() async throws {
    for record in ["", "{}", "[1", #"{"key":{"validator":"a"}}"#, String(repeating: "a", count: 100_000)] {
      try await expectRestart(after: request(), with: request(), record: record)
    }
  }
}
