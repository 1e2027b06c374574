@testable import WebServicesTestSupport
@testable import WebServicesResilience
@testable import WebServicesFiles

@Suite struct DiskResponseStoreTests {
  private let folder: TemporaryFolder
  private var directory: URL { folder.url.appendingPathComponent("cache") }
  private var responses: URL { directory.appendingPathComponent("responses") }

  init() throws { folder = try TemporaryFolder() }

  private func key(_ number: Int, _ identity: String? = nil) -> CacheKey {
    CacheKey(url: "https://api.example.com/\(number)", identity: identity)
  }

  private func store(limit: Int = 1 << 20) throws -> DiskResponseStore {
    try DiskResponseStore(directory: directory, limit: limit)
  }

  private func texts(_ store: DiskResponseStore) -> [String] { store.lookup(key(1)).map { $0.response.text } }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: responses.path)) ?? []).sorted()
  }

  private func path(_ name: String) -> String { responses.appendingPathComponent(name).path }

  private func status(_ path: String) -> stat {
    var status = stat()
    return lstat(path, &status) == 0 ? status : stat()
  }

  @Test func responsesOutliveTheStore() throws {
    let ada = identity(of: "ada")
    try store().store(cachedResponse(["ETag": "\"1\""]), for: key(1, ada))
    let again = try store()
    expectEqual(again.lookup(key(1, ada)).map { $0.response.headers }, [["ETag": "\"1\""]])
    #expect(again.lookup(key(1)).isEmpty && again.lookup(key(2, ada)).isEmpty)
  }

  @Test func filesArePrivateAndTheirNamesRevealNothing() throws {
    try FileManager.default.createDirectory(at: responses, withIntermediateDirectories: true)
    chmod(responses.path, 0o755)
    try store().store(cachedResponse([:]), for: key(1))
    expectEqual(status(responses.path).st_mode & 0o777, 0o700)
    let name = try #require(files.first)
    expectEqual(files.count, 1)
    expectEqual(status(path(name)).st_mode & 0o777, 0o600)
  }

  @Test func directoryIsAFileURL() {
    #expect(throws: PrivateFileError.notAFileURL) { try ResponseCache(directory: testURL("https://a.example/b")) }
  }

  @Test func damagedFileIsRemoved() throws {
    let store = try store()
    store.store(cachedResponse(["ETag": "\"1\""], body: ""), for: key(1))
    let name = try #require(files.first)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    for damaged in [Data(), whole.dropLast()] {
      try damaged.write(to: URL(fileURLWithPath: path(name)))
      #expect(store.lookup(key(1)).isEmpty)
      #expect(files.isEmpty)
    }
    try whole.write(to: URL(fileURLWithPath: path(name)))
    expectEqual(store.lookup(key(1)).count, 1)
  }

  @Test func linksPipesAndDirectoriesAreNotRead() throws {
    let store = try store()
    store.store(cachedResponse([:]), for: key(1))
    let path = path(try #require(files.first))
    let elsewhere = folder.url.appendingPathComponent("elsewhere").path
    expectEqual(rename(path, elsewhere), 0)
    for place in [{ symlink(elsewhere, path) }, { mkfifo(path, 0o600) }, { mkdir(path, 0o700) }] as [() -> Int32] {
      expectEqual(place(), 0)
      #expect(store.lookup(key(1)).isEmpty)
      store.store(cachedResponse([:], body: "Oslo"), for: key(1))
      expectEqual(texts(store), status(path).st_mode & S_IFMT == S_IFDIR ? [] : ["Oslo"])
      store.remove(key(1))
    }
  }

  /// Leaves the temporary files of two keys behind, as a process does that is killed before it renames them.
  private func leaveTemporaryFiles(_ store: DiskResponseStore) throws {
    for number in 1...2 {
      store.store(cachedResponse([:]), for: key(number))
      let name = try #require(files.last { $0.hasPrefix(CacheKey.filePrefix(of: key(number).url)) })
      expectEqual(rename(path(name), path(name + ".5F0C7B1E-0000-4000-8000-000000000000.partial")), 0)
    }
  }

  @Test func foreignFilesStayAndTemporaryFilesAreRemovedWithTheOthers() throws {
    let store = try store(limit: 32 * 4096)
    let digits = String(repeating: "0", count: 32)
    let foreign = ["\(digits)-\(digits).txt", "\(digits)_\(digits)", "abc-def", "new.partial", "notes.txt"]
    for name in foreign { try Data("x".utf8).write(to: URL(fileURLWithPath: path(name))) }
    try leaveTemporaryFiles(store)
    store.removeAll(ofURL: key(1).url)
    expectEqual(files.count, foreign.count + 1)
    #expect(!files.contains { $0.hasPrefix(CacheKey.filePrefix(of: key(1).url)) })
    store.removeAll()
    expectEqual(files, foreign)
    // They count against the limit.
    try leaveTemporaryFiles(store)
    for number in 3..<40 { store.store(cachedResponse([:]), for: key(number)) }
    #expect(files.filter { $0.hasSuffix(".partial") } == ["new.partial"] && files.count <= 32 + foreign.count)
  }

  #if DEBUG
    @Test func responseThatCannotBeReplacedOrRemovedIsNoLongerUsed() throws {
      for (call, stores) in [("write", true), ("unlink", false), ("none", true), ("none", false)] {
        let store = try store()
        store.store(cachedResponse([:], body: "older"), for: key(1))
        // In place of a folder that can't be opened for now.
        let aside = folder.url.appendingPathComponent("aside").path
        if call == "none" { expectEqual(rename(responses.path, aside) + symlink(aside, responses.path), 0) }
        DiskFault { $0 == call ? EROFS : nil }.perform {
          stores ? store.store(cachedResponse([:], body: "newer"), for: key(1)) : store.removeAll()
        }
        if call == "none" { expectEqual(unlink(responses.path) + rename(aside, responses.path), 0) }
        expectEqual(texts(store), [])
        // A process may be short of file descriptors for a moment.
        store.store(cachedResponse([:], body: "newest"), for: key(2))
        expectEqual(texts(store), [])
        expectEqual(store.lookup(key(2)).map { $0.response.text }, ["newest"])
      }
    }
  #endif

  // MARK: Room

  @Test func limitHoldsForRandomSizes() throws {
    var generator = Chance(seed: 13)
    let limit = 200_000
    var store = try store(limit: limit)
    for step in 0..<400 {
      let number = Int.random(in: 0..<60, using: &generator)
      let length = Int.random(in: 0...30_000, using: &generator)
      store.store(cachedResponse([:], body: String(repeating: "x", count: length)), for: key(number))
      if step % 7 == 0 { store.remove(key(number)) }
      if step % 100 == 50 { store = try DiskResponseStore(directory: directory, limit: limit) }
      let room = files.reduce(0) { $0 + DiskResponseStore.room(for: Int(status(path($1)).st_size)) }
      #expect(room <= limit)
      #expect(step < 100 || room > limit / 2)
    }
  }

  /// Files with a later time would otherwise stay for ever, and each new one would be removed in their place.
  @Test func clockThatIsSetBackKeepsNoRoomFromNewResponses() throws {
    let wall = WallClock()
    let store = try DiskResponseStore(directory: directory, limit: 32 * 4096) { wall.now }
    for number in 1...32 { store.store(cachedResponse([:]), for: key(number)) }
    wall.advance(by: -86_400)
    for number in 101...120 {
      wall.advance(by: 1)
      store.store(cachedResponse([:]), for: key(number))
    }
    expectEqual((101...120).filter { store.lookup(key($0)).isEmpty }, [])
  }

  // MARK: Others who use the directory

  #if os(Linux)
    /// Some file systems keep any 64-bit number of seconds.
    @Test(arguments: [Int.min, .max])
    func timeThatNoClockShowsIsNoTrap(seconds: Int) throws {
      let facts = FileFacts { status in
        status.st_mtim.tv_sec = seconds
        return 0
      }
      // Any stamp will do, because it only says which file is removed first.
      _ = try #require(facts).stamp
    }
  #endif

  @Test func removedDirectoryIsMadeAnew() throws {
    let store = try store()
    store.store(cachedResponse([:]), for: key(1))
    try FileManager.default.removeItem(at: directory)
    #expect(store.lookup(key(1)).isEmpty)
    store.removeAll(ofURL: key(1).url)
    store.store(cachedResponse([:], body: "Oslo"), for: key(1))
    expectEqual(texts(store), ["Oslo"])
  }

  @Test func twoStoresShareADirectory() async throws {
    let stores = [try store(limit: 20 * 4096), try store(limit: 20 * 4096)]
    let hits = Locked(0)
    await concurrently(1500) { index in
      let store = stores[index % 2]
      let number = index * 7 % 40
      let key = CacheKey(url: "https://api.example.com/\(number)", identity: nil)
      switch index % 9 {
      case 0: store.remove(key)
      case 1: store.removeAll(ofURL: key.url)
      case 2...5: store.store(cachedResponse([:], body: String(repeating: "\(number) ", count: 100)), for: key)
      default:
        for response in store.lookup(key) {
          expectEqual(response.response.text, String(repeating: "\(number) ", count: 100))
          hits.withLock { $0 += 1 }
        }
      }
    }
    #expect(hits.withLock { $0 } > 0)
    // Each store may be wrong by the bytes that the other one has written since the last check.
    #expect(files.count <= 20 + 8)
  }
}
