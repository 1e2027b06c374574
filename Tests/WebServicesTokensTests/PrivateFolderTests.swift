@testable import WebServicesTestSupport

@Suite struct PrivateFolderTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.resolvingSymlinksInPath().path
  }

  private func open() throws -> PrivateFolder { try #require(try PrivateFolder(path, privacy: .ignored)) }

  #if os(Linux)
    @Test func releasedFolderIsClosed() throws {
      // Other tests open descriptors meanwhile, so only those of this folder are counted.
      func openCount() -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.filter {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(path) == true
        }.count
      }
      let held = try open()
      expectEqual(openCount(), 1)
      for _ in 0..<10 {
        try open().replace("a", with: Data("b".utf8), by: "new")
        _ = try open().content(of: "a", limit: 10, isPrivate: true)
        try open().remove("a", isDurable: true)
      }
      expectEqual(openCount(), 1)
      expectEqual(try held.names(), [])
    }
  #endif

  /// Only root can give a folder away.
  @Test(.enabled(if: geteuid() == 0)) func folderOfAnotherUserIsNotClosedToOthers() throws {
    expectEqual(chmod(path, 0o755), 0)
    expectEqual(chown(path, 12_345, .max), 0)
    #expect(throws: PrivateFileError.otherOwner(path: path)) { try PrivateFolder(path, privacy: .enforced) }
  }

  @Test func fileHasItsLimitAndItsTime() throws {
    try open().replace("a", with: Data("bc".utf8), by: "new", stamp: 1_700_000_000_123_456)
    expectEqual(try open().facts(of: "a")?.stamp, 1_700_000_000_123_456)
    expectEqual(try open().content(of: "a", limit: 2, isPrivate: true), Data("bc".utf8))
    #expect(throws: PrivateFileError.damaged(path: path + "/a")) {
      try open().content(of: "a", limit: 1, isPrivate: true)
    }
  }

  @Test func fileWithTheTemporaryNameIsLeftAlone() throws {
    try open().replace("new", with: Data("b".utf8), by: "a")
    let error = PrivateFileError.system(call: "open", path: path + "/new", code: Int(EEXIST))
    #expect(throws: error) { try open().replace("token", with: Data("c".utf8), by: "new") }
    expectEqual(try open().content(of: "new", limit: 10, isPrivate: true), Data("b".utf8))
  }

  @Test func failedWriteLeavesNoFile() throws {
    // The system can't read the second page, so it writes the first one and then fails.
    let size = Int(getpagesize())
    let pages = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    let memory = try #require(pages)
    defer { munmap(memory, 2 * size) }
    expectEqual(mprotect(memory + size, size, PROT_NONE), 0)
    let data = Data(bytesNoCopy: memory, count: 2 * size, deallocator: .none)
    let error = PrivateFileError.system(call: "write", path: path + "/new", code: Int(EFAULT))
    expectEqual("\(error)", "write failed for \(path)/new: Bad address")
    #expect(throws: error) { try open().replace("token", with: data, by: "new") }
    expectEqual(try open().names(), [])
  }
}
