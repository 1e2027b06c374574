@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesTokens

/// Two managers with one file, as two processes of a tool have them. The refresh token may be used once.
@Suite(.timeLimit(.minutes(5))) struct SharedTokenFileTests {
  private typealias Process = (manager: BasicAuthManager, backend: HeldService, clock: VirtualClock)

  private let folder: TemporaryFolder
  private let file: URL
  private let storage: FileTokenStorage
  /// The refresh tokens of all renewals.
  private let used = Collector<String?>()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.resolvingSymlinksInPath().appendingPathComponent("private/token.json")
    storage = FileTokenStorage(url: file)
    try storage.save(StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
  }

  private func process(storage: FileTokenStorage? = nil, renewalTimeout: TimeInterval = 30) -> Process {
    let (backend, clock) = (HeldService(), VirtualClock(now: 1000))
    let manager = BasicAuthManager(
      storage: storage ?? self.storage, clock: clock, renewalTimeout: renewalTimeout,
      source: .refreshToken { [used] token in
        used.append(token.refreshToken)
        return Request("token")
      })
    manager.attach(to: backend)
    return (manager, backend, clock)
  }

  /// Requests a token.
  ///
  /// - Returns: the token, or nothing after an error.
  private func request(_ process: Process) -> Collector<String?> {
    let tokens = Collector<String?>()
    process.manager.ensureValidToken(ofType: .bearer) { tokens.append((try? $0.get())?.value) }
    return tokens
  }

  @Test func unlockedFileIsFreeThoughADescriptorIsCopied() throws {
    let unlock = try #require(storage.lock())
    #expect(storage.lock() == nil)
    let copies = descriptorCopies(ofFile: file.path)
    defer { copies.forEach { close($0) } }
    unlock()
    #expect(storage.lock() != nil)
  }

  @Test func theSecondProcessWaitsForTheTokenOfTheFirst() async {
    let (first, second) = (process(), process())
    _ = request(first)
    let copies = descriptorCopies(ofFile: file.path)
    defer { copies.forEach { close($0) } }
    let tokens = request(second)
    expectEqual(used.elements, ["r1"])
    first.backend.renew(to: "b", refreshToken: "r2")
    second.clock.advance(by: 0.1)
    expectEqual(await tokens.elements(1), ["b"])
    expectEqual(used.elements, ["r1"])
  }

  @Test func theSecondProcessRenewsAfterAFailureOfTheFirst() async {
    let (first, second) = (process(), process())
    _ = (request(first), request(second))
    expectEqual(second.backend.sent.count, 0)
    first.backend.fail()
    second.clock.advance(by: 0.1)
    await second.backend.waitForRequests(1)
    expectEqual(used.elements, ["r1", "r1"])
  }

  @Test func aStoppedProcessHoldsUpTheSecondForTheTimeoutOnly() async {
    let (first, second) = (process(), process(renewalTimeout: 0.1))
    _ = (request(first), request(second))
    expectEqual(second.backend.sent.count, 0)
    second.clock.advance(by: 0.1)
    await second.backend.waitForRequests(1)
  }

  @Test func anotherFileOfTheDirectoryIsNotLocked() throws {
    let other = FileTokenStorage(url: file.deletingLastPathComponent().appendingPathComponent("other.json"))
    try other.save(StoredToken(apiToken: "c", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "other"))
    _ = (request(process()), request(process(storage: other)))
    expectEqual(used.elements, ["r1", "other"])
  }

  @Test func aURLThatIsNoFileURLLocksNoFile() throws {
    let other = try FileHandle(forUpdating: file)
    defer { try? other.close() }
    expectEqual(flock(other.fileDescriptor, LOCK_EX), 0)
    #expect(storage.lock() == nil)
    #expect(FileTokenStorage(url: testURL("https://h.example\(file.path)")).lock() != nil)
  }

  @Test func aFileThatIsMissingIsNotWaitedFor() throws {
    let process = process()
    try storage.clear()
    _ = request(process)
    expectEqual(used.elements, ["r1"])
  }

  @Test func aSignOutEndsTheWait() {
    let (first, second) = (process(), process())
    _ = request(first)
    let tokens = request(second)
    second.manager.clear()
    expectEqual(tokens.elements, [nil])
    first.backend.fail()
    second.clock.advance(by: 0.1)
    UserCallbackQueue.shared.sync(flags: .barrier) {}
    expectEqual(used.elements, ["r1"])
  }
}
